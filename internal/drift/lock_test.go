package drift

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
)

const helperRecipe = `---
version: 1
name: Helper
description: Finds its way around the sources.
tools: {required: [read], optional: [grep, find]}
skills: []
audience: custom
category: explore
capabilityClass: read-only
latencyClass: fast
projectContextTier: none
budget: {toolCalls: 8, readReserve: 2, synthesis: true}
resultContract: {kind: scout-report}
tags: [local]
---
You find your way around the sources.
`

const oneCommand = "version: 1\ncommands: {x: {argv: [make, x], env: [A]}}\n"

func lockText(l Lock) string {
	var text bytes.Buffer
	_, _ = l.WriteTo(&text) // a Buffer's writes never fail
	return text.String()
}

// written gives the lock of a policy as it is read back from its text.
func written(t *testing.T, set *discover.Set) Lock {
	t.Helper()
	lock, found := ParseLock(lockText(LockOf(set, "1.2.3")))
	if len(found) > 0 {
		t.Fatalf("a lock of ours is damaged: %v", said(found))
	}
	return lock
}

func weights(found []diag.Diagnostic) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, d.Severity.String()+" "+said([]diag.Diagnostic{d})[0])
	}
	return lines
}

func TestWhatIsNotAsTheLockHasIt(t *testing.T) {
	loop := func(writes string) string {
		return "{kind: loop, id: l, maxAttempts: 2, dependencies: [], check: {kind: code, command: x, scope: readonly}, repair: {agent: coder, scope: workspace, writes: [" + writes + "]}}"
	}
	commit := func(from string) string {
		return "{kind: code, id: c, command: x, scope: readonly, dependencies: [a, b], commitFrom: [" + from + "]}"
	}
	base := map[string]string{
		"agents/helper.md":     helperRecipe,
		"fleets/commands.yaml": oneCommand,
		"fleets/demo.md":       contract("4", step("a", "docs/"), step("b", ""), commit("a"), loop("src/")),
	}
	for _, c := range []struct {
		name, file string
		was, is    string // what is replaced in file; was empty: all of it
		want       []string
	}{
		{name: "nothing"},
		{"what only shows of a recipe", "agents/helper.md", "Finds its way", "Looks", nil},
		{"the order of tools", "agents/helper.md", "[grep, find]", "[find, grep]", nil},
		{"the name of a contract", "fleets/demo.md", "name: demo", "name: other\ndescription: Something.", nil},
		{"the spelling of a boundary", "fleets/demo.md", "[docs/]", "[docs/, docs//a]", nil},
		{"a command's description and time", "fleets/commands.yaml", "env: [A]", "env: [A], timeoutMs: 1000, description: More", nil},
		{
			"a persona", "agents/helper.md", "You find", "You guess",
			[]string{`error drift-recipe agents/helper.md: recipe "helper" is not what the lock has: its fingerprint is FINGERPRINT, the lock's FINGERPRINT`},
		},
		{
			"a raised class", "agents/helper.md", "capabilityClass: read-only", "capabilityClass: internal",
			[]string{
				`error drift-recipe agents/helper.md: recipe "helper" is not what the lock has: its fingerprint is FINGERPRINT, the lock's FINGERPRINT`,
				`error drift-capability agents/helper.md:9:1: recipe "helper" is raised from read-only to internal`,
			},
		},
		{
			"a recipe that is not valid any more", "agents/helper.md", "version: 1", "version: 2",
			[]string{`error drift-recipe agents/helper.md: recipe "helper" is not valid any more`},
		},
		{
			"a widened step that a commit step records is one error", "fleets/demo.md", "[docs/]", "[docs/, src/]",
			[]string{`error drift-boundary fleets/demo.md:5:63: "demo/a" may also write src/; the lock has docs/`},
		},
		{
			"a narrowed step is a note", "fleets/demo.md", "[docs/]", "[docs/a]",
			[]string{`note drift-boundary fleets/demo.md:5:63: "demo/a" may no longer write all of docs/; now it may write docs/a`},
		},
		{
			"a readonly step that may write is one error", "fleets/demo.md", "id: b, agent: coder, scope: readonly, dependencies: []", "id: b, agent: coder, scope: workspace, dependencies: [], writes: [x]",
			[]string{`error drift-boundary fleets/demo.md:6:63: "demo/b" may also write x; the lock has nothing`},
		},
		{
			"a wider half of a loop", "fleets/demo.md", "[src/]", "[src/, lib/]",
			[]string{`error drift-boundary fleets/demo.md:8:150: "demo/l.repair" may also write lib/; the lock has src/`},
		},
		{
			"one more source of a commit step", "fleets/demo.md", "commitFrom: [a]", "commitFrom: [a, b]",
			[]string{`warning drift-fleet fleets/demo.md: fleet "demo" is not what the lock has: agents, commands, order, limits or its prompt`},
		},
		{
			"a prompt", "fleets/demo.md", "Do {{task}}", "Never do {{task}}",
			[]string{`warning drift-fleet fleets/demo.md: fleet "demo" is not what the lock has: agents, commands, order, limits or its prompt`},
		},
		{
			"a command", "fleets/commands.yaml", "make, x", "make, y",
			[]string{`error drift-command fleets/commands.yaml:2:12: command "x" is not what the lock has; it runs "make", "y"`},
		},
		{
			"a broken registry", "fleets/commands.yaml", "version: 1", "version: 2",
			[]string{`error drift-command fleets/commands.yaml: the command registry is not valid`},
		},
		{
			"a command that comes", "fleets/commands.yaml", "commands: {", "commands: {y: {argv: [y]}, ",
			[]string{`error drift-unlisted fleets/commands.yaml:2:12: command "y" is not in the lock`},
		},
		{
			"a recipe that comes", "agents/second.md", "", helperRecipe,
			[]string{`error drift-unlisted agents/second.md: recipe "second" is not in the lock`},
		},
		{
			"a fleet that comes is one error", "fleets/second.md", "", contract("4", step("a", "docs/")),
			[]string{`error drift-unlisted fleets/second.md: fleet "second" is not in the lock`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			lock := written(t, policies(t, base))
			now := map[string]string{}
			for name, text := range base {
				now[name] = text
			}
			if now[c.file] = strings.Replace(base[c.file], c.was, c.is, 1); c.was == "" {
				now[c.file] = c.is
			}
			if c.file == "" {
				delete(now, "")
			}
			got := weights(lock.Drift(policies(t, now), diag.None))
			for i := range got {
				got[i] = fingerprints(got[i])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// fingerprints hides the twelve digits that a message shows of each.
func fingerprints(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		digits := strings.TrimSuffix(word, ",")
		if len(digits) == 12 && strings.Trim(digits, "0123456789abcdef") == "" {
			words[i] = "FINGERPRINT" + word[len(digits):]
		}
	}
	return strings.Join(words, " ")
}

func TestWhatIsGoneIsMissingAtItsLineOfTheLock(t *testing.T) {
	lock := written(t, policies(t, map[string]string{
		"agents/helper.md": helperRecipe, "fleets/commands.yaml": oneCommand, "fleets/demo.md": contract("4", step("a", "docs/")),
	}))
	want := []string{
		`error drift-missing fleetgate.lock:6: fleet "demo" is in the lock, and isn't there any more`,
		`error drift-missing fleetgate.lock:7: recipe "helper" is in the lock, and isn't there any more`,
		`error drift-missing fleetgate.lock:5: command "x" is in the lock, and isn't there any more`,
	}
	got := trimmed(weights(lock.Drift(policies(t, nil), diag.None)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALockIsReadBackAsItWasWritten(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	lock := Lock{
		Tool:    "1.0.0 (a fork)",
		Recipes: []LockedRecipe{{ID: "a b", Path: "x/\u00e9", Class: "read-only", Fingerprint: digest}},
		Fleets: []LockedFleet{{Name: "f", Version: 5, Digest: digest, Positions: []LockedPosition{
			{ID: "p", Allow: []string{"#x", "a\nb", "a b", "docs/", "\"", "\xff\xfe", "\u202e"}}, {ID: "readonly"},
		}}},
		Commands: []LockedCommand{{ID: "c", Digest: digest}},
	}
	text := lockText(lock)
	got, found := ParseLock(text)
	if len(found) > 0 {
		t.Fatalf("%v\n%s", said(found), text)
	}
	for i := range lock.Fleets[0].Positions {
		slices.Sort(lock.Fleets[0].Positions[i].Allow)
		slices.Sort(got.Fleets[0].Positions[i].Allow)
	}
	lines := cmpopts.IgnoreFields
	if diff := cmp.Diff(lock, got, lines(LockedRecipe{}, "Line"), lines(LockedFleet{}, "Line"), lines(LockedPosition{}, "Line"), lines(LockedCommand{}, "Line")); diff != "" {
		t.Errorf("(-written +read):\n%s\n%s", diff, text)
	}
	if again := lockText(got); again != text {
		t.Errorf("written anew it is another text:\n%s\n%s", text, again)
	}
}

func TestDamagedLinesAreNamed(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0", 64)
	for _, c := range []struct{ name, text, want string }{
		{"an empty file", "", `lock-damaged fleetgate.lock:1: the lock's line 1 is "", not the lock's version, "fleetgate-lock 1"`},
		{"a byte order mark", "\ufefffleetgate-lock 1\n", `lock-damaged fleetgate.lock:1: the lock's line 1 is "\ufefffleetgate-lock 1", not the lock's version, "fleetgate-lock 1"`},
		{"another version", "fleetgate-lock 01\nnothing that is read\n", `lock-version fleetgate.lock:1: the lock's version "01" is unknown; this fleetgate reads version 1`},
		{"another word", "fleetgate-lock 1\nfleets x\n", `lock-damaged fleetgate.lock:2: the lock's line 2 begins with "fleets"; a line of a lock begins with boundary, command, fleet, recipe or tool`},
		{"an empty line", "fleetgate-lock 1\n\n", `lock-damaged fleetgate.lock:2: the lock's line 2 can't be read: ""`},
		{"two spaces", "fleetgate-lock 1\ntool  x\n", `lock-damaged fleetgate.lock:2: the lock's line 2 can't be read: "tool  x"`},
		{"quotes without need", "fleetgate-lock 1\ntool \"x\"\n", `lock-damaged fleetgate.lock:2: the lock's line 2 can't be read: "tool \"x\""`},
		{"too few fields", "fleetgate-lock 1\nboundary f\n", `lock-damaged fleetgate.lock:2: the lock's line 2 has 2 fields; a boundary line has 4`},
		{"no digest", "fleetgate-lock 1\ncommand c sha256:00\n", `lock-damaged fleetgate.lock:2: the lock's line 2 has "sha256:00" where sha256:HEX belongs`},
		{"an unknown class", "fleetgate-lock 1\nrecipe r p godlike " + digest + "\n", `lock-damaged fleetgate.lock:2: the lock's line 2 has the class "godlike", which there isn't`},
		{"no version", "fleetgate-lock 1\nfleet f x " + digest + "\n", `lock-damaged fleetgate.lock:2: the lock's line 2 has "x" where the contract's version belongs`},
		{"a recipe twice", "fleetgate-lock 1\nrecipe r p internal " + digest + "\nrecipe r q internal " + digest + "\n", `lock-damaged fleetgate.lock:3: the lock's line 3 says "recipe r" a second time`},
		{"an unlisted fleet", "fleetgate-lock 1\nboundary f p docs/\n", `lock-damaged fleetgate.lock:2: the lock's line 2 is about the fleet "f", which the lock doesn't list`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := ParseLock(c.text)
			if diff := cmp.Diff([]string{c.want}, trimmed(said(found))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func trimmed(lines []string) []string {
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "  ", " ", 1) // no side
	}
	return lines
}

func TestALockOfWindowsLineEndsIsTheSame(t *testing.T) {
	text := lockText(LockOf(policies(t, map[string]string{"agents/helper.md": helperRecipe}), "1"))
	lock, found := ParseLock(strings.ReplaceAll(text, "\n", "\r\n"))
	if len(found) > 0 || lockText(lock) != text {
		t.Errorf("found %v, read as\n%s", said(found), lockText(lock))
	}
}

func TestBoundsOfALock(t *testing.T) {
	_, found := ParseLock("fleetgate-lock 1\n" + strings.Repeat("x\n", MaxLockFindings+5))
	if len(found) != MaxLockFindings+1 || !strings.Contains(found[MaxLockFindings].Message, "5 more damaged lines") {
		t.Errorf("%d findings, the last %q", len(found), found[len(found)-1].Message)
	}
	for _, c := range []struct {
		size int
		want int
	}{{MaxLockBytes, 0}, {MaxLockBytes + 1, 1}} {
		text := []byte("fleetgate-lock 1\n#" + strings.Repeat(" ", c.size-18))
		_, found, there, err := ReadLock(fstest.MapFS{LockPath: &fstest.MapFile{Data: text}})
		if err != nil || !there || len(found) != c.want {
			t.Errorf("%d bytes: there %t, %d findings, error %v; want %d findings", c.size, there, len(found), err, c.want)
		}
	}
}

func TestALockThatIsNoFileIsRefused(t *testing.T) {
	for name, mode := range map[string]fs.FileMode{"a link": fs.ModeSymlink, "a directory": fs.ModeDir, "a pipe": fs.ModeNamedPipe} {
		_, found, there, err := ReadLock(fstest.MapFS{LockPath: &fstest.MapFile{Mode: mode, Data: []byte("x")}})
		if want := []string{"lock-damaged fleetgate.lock: the lock is no regular file"}; err != nil || !there || !cmp.Equal(trimmed(said(found)), want) {
			t.Errorf("%s: there %t, %q, error %v", name, there, said(found), err)
		}
	}
	_, found, there, err := ReadLock(fstest.MapFS{})
	if err != nil || there || len(found) > 0 {
		t.Errorf("without a lock: there %t, %q, error %v", there, said(found), err)
	}
}

// FuzzParseLock: whatever is read without a finding is written and read the same.
func FuzzParseLock(f *testing.F) {
	digest := strings.Repeat("0", 64)
	f.Add("fleetgate-lock 1\n# x\ntool dev\n")
	f.Add(fmt.Sprintf("fleetgate-lock 1\nboundary f \"a b\" docs/\ncommand c sha256:%s\nfleet f 4 sha256:%s\nrecipe r p internal sha256:%s\n", digest, digest, digest))
	f.Fuzz(func(t *testing.T, text string) {
		lock, found := ParseLock(text)
		if len(found) > 0 {
			return
		}
		if lock.Tool == "" {
			lock.Tool = "dev"
		}
		once := lockText(lock)
		again, found := ParseLock(once)
		if len(found) > 0 || lockText(again) != once {
			t.Errorf("%q is written as %q, and that is read with %v as %q", text, once, said(found), lockText(again))
		}
	})
}
