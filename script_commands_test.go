package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// findingsCommand (findings [FINDING...]) wants exactly these findings, in any
// order, in the JSON on the last standard output, and counts that agree. A FINDING is
// `SEVERITY CODE [PATH] [@REV]`, PATH being a path of the commit REV or else the
// policy file. A PATH in double quotes is read as Go reads one.
func findingsCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg, "findings ['SEVERITY CODE [PATH] [@REV]'...]")
	var report struct {
		Counts      struct{ Errors, Warnings, Notes int }
		Diagnostics []reportedFinding
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &report))
	got, want := []string{}, []string{}
	weights := map[string]int{}
	for _, d := range report.Diagnostics {
		got = append(got, d.line(ts))
		weights[d.Severity]++
	}
	for _, arg := range args {
		want = append(want, expectedFinding(ts, arg))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("findings differ (-want +got):\n%s", diff)
	}
	counted := map[string]int{}
	for severity, n := range map[string]int{"error": report.Counts.Errors, "warning": report.Counts.Warnings, "note": report.Counts.Notes} {
		if n > 0 {
			counted[severity] = n
		}
	}
	if diff := cmp.Diff(weights, counted); diff != "" {
		ts.Fatalf("the counts are not those of the findings (-findings +counts):\n%s", diff)
	}
}

// reportedFinding is what the findings command compares of one.
type reportedFinding struct {
	Code, Severity, File, Commit, Path string
	PathBase64                         string `json:"path_base64"`
}

func (d reportedFinding) line(ts *testscript.TestScript) string {
	path := d.Path
	if d.PathBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(d.PathBase64)
		ts.Check(err)
		path = string(raw)
	}
	if path == "" && d.Commit == "" {
		path = d.File
	}
	return findingLine(d.Severity, d.Code, path, d.Commit)
}

func findingLine(severity, code, path, commit string) string {
	return fmt.Sprintf("%s %s %q @%s", severity, code, path, commit)
}

func expectedFinding(ts *testscript.TestScript, arg string) string {
	severity, rest, _ := strings.Cut(arg, " ")
	code, rest, _ := strings.Cut(rest, " ")
	commit := ""
	if at := strings.LastIndexByte(rest, '@'); at == 0 || at > 0 && rest[at-1] == ' ' {
		rest, commit = strings.TrimSuffix(rest[:at], " "), revision(ts, rest[at+1:])
	}
	if strings.HasPrefix(rest, `"`) {
		path, err := strconv.Unquote(rest)
		ts.Check(err)
		rest = path
	}
	return findingLine(severity, code, rest, commit)
}

// commitsCommand (commits [REV...]) wants exactly these commits in the rows of
// the JSON on the last standard output, in this order (newest first), and a count that agrees.
func commitsCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg, "commits [REV...]")
	var report struct {
		Counts  struct{ Commits int }
		Commits []struct{ SHA string }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &report))
	got, want := []string{}, []string{}
	for _, row := range report.Commits {
		got = append(got, row.SHA)
	}
	for _, rev := range args {
		want = append(want, revision(ts, rev))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("the rows differ (-want +got):\n%s", diff)
	}
	if report.Counts.Commits != len(got) {
		ts.Fatalf("counts.commits is %d, but there are %d rows", report.Counts.Commits, len(got))
	}
}

// changesCommand (changes REV ['LETTER PATH'...]) wants exactly these changes,
// in this order, in the row of a commit.
func changesCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "changes REV ['LETTER PATH'...]")
	var report struct {
		Commits []struct {
			SHA     string
			Changes []struct{ Status, Path string }
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &report))
	id, got := revision(ts, args[0]), []string{}
	found := false
	for _, row := range report.Commits {
		if row.SHA != id {
			continue
		}
		found = true
		for _, c := range row.Changes {
			got = append(got, c.Status+" "+c.Path)
		}
	}
	if !found {
		ts.Fatalf("there is no row of %s", args[0])
	}
	if diff := cmp.Diff(append([]string{}, args[1:]...), got); diff != "" {
		ts.Fatalf("the changes of %s differ (-want +got):\n%s", args[0], diff)
	}
}

// letCommand (let NAME PROGRAM ARGS...) sets a variable to what a program prints.
func letCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 2, "let NAME PROGRAM ARGS...")
	ts.Check(ts.Exec(args[1], args[2:]...))
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// placeholder is a revision in a payload: <main~1>.
var placeholder = regexp.MustCompile(`<[A-Za-z0-9/._~^-]+>`)

// payloadCommand (payload FROM TO) copies an event's payload and puts commit
// ids in the place of revisions in angle brackets.
func payloadCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) != 2, "payload FROM TO")
	text := placeholder.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(rev string) string {
		return revision(ts, strings.Trim(rev, "<>"))
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// rawtreeCommand (rawtree NAME ['MODE OID PATHNAME'...]) writes a tree object as it is
// told, whatever git thinks of it, and sets a variable to its id. The name of
// an entry may be in double quotes, as in the findings command.
func rawtreeCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "rawtree NAME ['MODE OID PATHNAME'...]")
	var raw bytes.Buffer
	for _, arg := range args[1:] {
		mode, rest, _ := strings.Cut(arg, " ")
		id, name, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(name, `"`) {
			unquoted, err := strconv.Unquote(name)
			ts.Check(err)
			name = unquoted
		}
		fmt.Fprintf(&raw, "%s %s\x00", mode, name)
		for i := 0; i+1 < len(id); i += 2 {
			b, err := strconv.ParseUint(id[i:i+2], 16, 8)
			ts.Check(err)
			raw.WriteByte(byte(b))
		}
	}
	ts.Setenv(args[0], git(ts, raw.String(), "hash-object", "--literally", "-w", "-t", "tree", "--stdin"))
}

// revision gives the commit that git takes a revision for.
func revision(ts *testscript.TestScript, rev string) string {
	return git(ts, "", "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
}

// git runs git in the script's directory and leaves the script's last output alone.
func git(ts *testscript.TestScript, stdin string, args ...string) string {
	command := exec.Command("git", args...)
	command.Dir = ts.MkAbs(".")
	command.Stdin = strings.NewReader(stdin)
	for _, name := range []string{"PATH", "HOME", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES"} {
		command.Env = append(command.Env, name+"="+ts.Getenv(name))
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		ts.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}
