package gitrepo

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// gitDir is a directory in which the real git is run, with a fixed identity
// and fixed dates, away from the configuration of whoever runs the tests.
type gitDir struct {
	tb   testing.TB
	dir  string
	home string
	date int64
}

// newGit makes an empty repository whose branch is main.
func newGit(tb testing.TB, options ...string) *gitDir {
	tb.Helper()
	g := &gitDir{tb: tb, dir: tb.TempDir(), home: tb.TempDir(), date: 1_700_000_000}
	g.run(append([]string{"init", "-q"}, options...)...)
	return g
}

// at is the same git in another directory.
func (g *gitDir) at(dir string) *gitDir {
	there := *g
	there.dir = dir
	return &there
}

func (g *gitDir) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "core.fsync=none"}, args...)...)
	cmd.Dir = g.dir
	date := fmt.Sprintf("%d +0000", g.date)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + g.home, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com", "GIT_COMMITTER_DATE=" + date,
	}
	return cmd
}

// try runs git and gives what it printed, and whether it succeeded.
func (g *gitDir) try(args ...string) (string, bool) {
	g.tb.Helper()
	var stdout, stderr bytes.Buffer
	cmd := g.command(args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		g.tb.Fatalf("git %v: %v (these tests need git)", args, err)
	}
	if err != nil {
		return stdout.String() + stderr.String(), false
	}
	return stdout.String(), true
}

// run runs git, which must succeed, and gives what it printed, trimmed.
func (g *gitDir) run(args ...string) string {
	g.tb.Helper()
	out, ok := g.try(args...)
	if !ok {
		g.tb.Fatalf("git %v: %s", args, out)
	}
	return strings.TrimSuffix(out, "\n")
}

// feed runs git with something on its standard input.
func (g *gitDir) feed(input string, args ...string) string {
	g.tb.Helper()
	cmd := g.command(args...)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		g.tb.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return string(out)
}

// write writes a file of the work tree.
func (g *gitDir) write(name, content string) {
	g.tb.Helper()
	path := filepath.Join(g.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		g.tb.Fatal(err)
	}
}

// commit commits the whole work tree, a second after the last commit.
func (g *gitDir) commit(message string) boundary.OID {
	g.tb.Helper()
	g.date++
	g.run("add", "-A")
	g.run("commit", "-q", "--allow-empty", "-m", message)
	return g.id("HEAD")
}

// put writes one file and commits it.
func (g *gitDir) put(name, content string) boundary.OID {
	g.tb.Helper()
	g.write(name, content)
	return g.commit("write " + name)
}

// merge merges revisions into HEAD with a merge commit.
func (g *gitDir) merge(args ...string) boundary.OID {
	g.tb.Helper()
	g.date++
	g.run(append([]string{"merge", "-q", "--no-ff", "-m", "merge"}, args...)...)
	return g.id("HEAD")
}

// id gives the object id of a revision, as git sees it.
func (g *gitDir) id(rev string) boundary.OID {
	g.tb.Helper()
	return mustID(g.tb, g.run("rev-parse", "--verify", "--end-of-options", rev))
}

func mustID(tb testing.TB, text string) boundary.OID {
	tb.Helper()
	id, ok := boundary.ParseOID(text)
	if !ok {
		tb.Fatalf("%q is no object id", text)
	}
	return id
}

// open opens the repository under test.
func (g *gitDir) open() *Repo {
	g.tb.Helper()
	return mustOpen(g.tb, g.dir)
}

func mustOpen(tb testing.TB, dir string) *Repo {
	tb.Helper()
	repo, err := Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return repo
}

// remove deletes a loose object.
func (g *gitDir) remove(id boundary.OID) {
	g.tb.Helper()
	if err := os.Remove(g.loose(id)); err != nil {
		g.tb.Fatal(err)
	}
}

func (g *gitDir) loose(id boundary.OID) string {
	hex := id.String()
	return filepath.Join(g.dir, ".git", "objects", hex[:2], hex[2:])
}

// object writes an object of any bytes, valid or not.
func (g *gitDir) object(kind string, content []byte) boundary.OID {
	g.tb.Helper()
	out := g.feed(string(content), "hash-object", "-w", "-t", kind, "--stdin", "--literally")
	return mustID(g.tb, strings.TrimSpace(out))
}

// stream writes a history for git fast-import.
type stream struct {
	bytes.Buffer
	marks int
}

// step is one commit of a stream.
type step struct {
	parents []int // marks
	date    int64
	edits   []string // fast-import's file commands
	message string
}

// commit adds a commit and gives its mark.
func (s *stream) commit(c step) int {
	s.marks++
	if len(c.parents) == 0 {
		s.WriteString("reset refs/heads/imported\n\n") // else the last commit would be the parent
	}
	fmt.Fprintf(s, "commit refs/heads/imported\nmark :%d\n", s.marks)
	fmt.Fprintf(s, "committer C <c@example.com> %d +0000\n", c.date)
	fmt.Fprintf(s, "data %d\n%s\n", len(c.message), c.message)
	for i, parent := range c.parents {
		verb := "merge"
		if i == 0 {
			verb = "from"
		}
		fmt.Fprintf(s, "%s :%d\n", verb, parent)
	}
	for _, edit := range c.edits {
		s.WriteString(edit + "\n")
	}
	s.WriteString("\n")
	return s.marks
}

// inline is the fast-import command that writes a file.
func inline(mode, path, content string) string {
	return fmt.Sprintf("M %s inline %s\ndata %d\n%s", mode, path, len(content), content)
}

// load runs the stream and gives the commits' ids by mark; mark 0 is unused.
func (g *gitDir) load(s *stream) []boundary.OID {
	g.tb.Helper()
	marks := filepath.Join(g.home, "marks")
	cmd := g.command("fast-import", "--quiet", "--force", "--date-format=raw-permissive", "--export-marks="+marks)
	cmd.Stdin = bytes.NewReader(s.Bytes())
	if out, err := cmd.CombinedOutput(); err != nil {
		g.tb.Fatalf("git fast-import: %v: %s", err, out)
	}
	file, err := os.Open(marks)
	if err != nil {
		g.tb.Fatal(err)
	}
	defer file.Close()
	ids := make([]boundary.OID, s.marks+1)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var mark int
		var hex string
		if _, err := fmt.Sscanf(lines.Text(), ":%d %s", &mark, &hex); err != nil {
			g.tb.Fatal(err)
		}
		ids[mark] = mustID(g.tb, hex)
	}
	return ids
}
