package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// bench is one run of measurements.
type bench struct {
	runs          int
	gate          string // the binary
	peers         map[string]string
	recipes, yaml string
	temp          string
	rows          []row
}

// row is one line of the table.
type row struct {
	repository, work, against string
	ours, theirs              side
	aim                       aim
	digest                    string // of what both answered, where they answer the same question
	note                      string // about the other command
}

// side is one of the two commands that are held against each other.
type side struct {
	call
	figures
}

func of(args ...string) side { return side{call: call{args: args}} }

// measure makes every row, and gives the page.
func (b *bench) measure(repositories []clone) (string, error) {
	defer b.close()
	if err := b.build(); err != nil {
		return "", err
	}
	for i, c := range repositories {
		if err := b.repository(c); err != nil {
			return "", fmt.Errorf("%s: %w", c.name, err)
		}
		if i > 0 {
			continue
		}
		if err := b.measurePeers(c); err != nil {
			return "", fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if err := b.measureRecipes(); err != nil {
		return "", err
	}
	if err := b.startUp(); err != nil {
		return "", err
	}
	return b.page(), nil
}

// repository measures every range that a repository is long enough for, and
// the one of the branch topic, if it has one, whose base is far ahead.
func (b *bench) repository(c clone) error {
	files, err := filesAt(c.dir, "HEAD")
	if err != nil {
		return err
	}
	for _, r := range ranges {
		if files < r.files {
			continue
		}
		base, err := baseOf(c.dir, r.commits)
		if err != nil {
			return err
		}
		if base == "" {
			break
		}
		most := r.aim
		if files < r.aimFiles {
			most.time = 0
		}
		if err := b.log(c, base, most); err != nil {
			return err
		}
	}
	if head, ok := first(c.dir, "refs/heads/topic"); ok {
		return b.ahead(c, head)
	}
	return nil
}

// ahead measures a range whose base is all of HEAD's history ahead.
func (b *bench) ahead(c clone, head string) error {
	length, err := count(c.dir, "HEAD")
	if err != nil {
		return err
	}
	tip, _ := first(c.dir, "HEAD")
	n, err := count(c.dir, head, "^"+tip)
	if err != nil {
		return err
	}
	gate := b.check(c.dir, tip, head)
	said, err := ask(gate.call)
	if err != nil {
		return err
	}
	if err := said.counts(n); err != nil {
		return err
	}
	most := aheadAim
	if hasCommitGraph(c.dir) {
		most = aheadInGraphAim
	}
	return b.pair(row{
		repository: c.name, work: fmt.Sprintf("base %d commits ahead", length), against: "git rev-list --count",
		ours: gate, theirs: of("git", "-C", c.dir, "rev-list", "--count", head, "^"+tip), aim: most,
	})
}

// log measures one range against git's log of it.
func (b *bench) log(c clone, base string, most aim) error {
	dir, base, done, err := b.withPolicy(c.dir, base)
	if err != nil {
		return err
	}
	defer done()
	n, err := count(dir, base+"..HEAD")
	if err != nil {
		return err
	}
	gate := b.check(dir, base, "HEAD")
	digest, err := compare(gate.call, dir, base, n)
	if err != nil {
		return err
	}
	log := of("git", "-C", dir, "log", "--raw", "-z", "--no-renames", base+"..HEAD")
	return b.pair(row{repository: c.name, work: counted(n), against: "git log --raw", ours: gate, theirs: log, aim: most, digest: digest})
}

// check is the gate's own command for a range.
func (b *bench) check(dir, base, head string) side {
	return of(b.gate, "check", "--repo", dir, "--base", base, "--head", head, "--format", "json")
}

// startUp measures how long it takes until a program runs at all.
func (b *bench) startUp() error {
	gate := of(b.gate, "version")
	err := b.pair(row{work: "start-up", against: "git --version", ours: gate, theirs: of("git", "--version"), aim: startAim})
	if _, missing := exec.LookPath("node"); err != nil || missing != nil {
		return err
	}
	return b.pair(row{work: "start-up", against: "node -e 0", ours: gate, theirs: of("node", "-e", "0")})
}

// ask runs the gate for its verdict.
func ask(gate call) (answer, error) {
	raw, err := gate.command().Output()
	if err := answered(gate, err); err != nil {
		return answer{}, err
	}
	var said answer
	if err := json.Unmarshal(raw, &said); err != nil {
		return said, fmt.Errorf("the gate gives no verdict: %w", err)
	}
	return said, nil
}

// gitOutput gives what git prints.
func gitOutput(dir string, args ...string) ([]byte, error) {
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func count(dir string, revisions ...string) (int, error) {
	out, err := gitOutput(dir, append([]string{"rev-list", "--count"}, revisions...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

func filesAt(dir, revision string) (int, error) {
	out, err := gitOutput(dir, "ls-tree", "-r", "-z", "--name-only", revision)
	return strings.Count(string(out), "\x00"), err
}

// first gives the commit that a revision names, if it names one.
func first(dir, revision string) (string, bool) {
	out, err := gitOutput(dir, "rev-parse", "--quiet", "--verify", revision+"^{commit}")
	return strings.TrimSpace(string(out)), err == nil
}

func hasCommitGraph(dir string) bool {
	objects, err := objectsOf(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{"commit-graph", "commit-graphs"} {
		if _, err := os.Stat(filepath.Join(objects, "info", name)); err == nil {
			return true
		}
	}
	return false
}

// objectsOf gives the folder of a repository's objects.
func objectsOf(dir string) (string, error) {
	out, err := gitOutput(dir, "rev-parse", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	path := strings.TrimSpace(string(out))
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Abs(path)
}

func counted(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return fmt.Sprintf("%d commits", n)
}
