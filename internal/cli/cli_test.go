package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// testApp is a run with nothing in its environment but the given variables.
func testApp(env map[string]string) (a *app, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return &app{
		stdin: strings.NewReader(""), stdout: stdout, stderr: stderr,
		getenv: func(name string) string { return env[name] },
	}, stdout, stderr
}

// with adds a command that ends as the test wants.
func (a *app) with(run func(context.Context) error) *cobra.Command {
	root := a.rootFor(nil)
	root.AddCommand(&cobra.Command{Use: "probe", RunE: func(c *cobra.Command, _ []string) error { return run(c.Context()) }})
	return root
}

func TestCrashIsOneLineAndUndecided(t *testing.T) {
	a, stdout, stderr := testApp(nil)
	code := a.run(t.Context(), a.with(func(context.Context) error { panic("index\nout of range") }), []string{"probe"})
	if code != ExitUndecided {
		t.Errorf("exit code %d, want %d", code, ExitUndecided)
	}
	want := "fleetgate: internal error: index out of range; this is a defect of fleetgate dev: please report this line, with the command, at https://github.com/fleetgate/fleetgate/issues\n"
	if stderr.String() != want {
		t.Errorf("got  %q\nwant %q", stderr, want)
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output has %q", stdout)
	}
}

func TestCrashShowsItsStackOnlyWhenAsked(t *testing.T) {
	a, _, stderr := testApp(map[string]string{"FLEETGATE_DEBUG": "1"})
	a.run(t.Context(), a.with(func(context.Context) error { panic("x") }), []string{"probe"})
	if !strings.Contains(stderr.String(), "cli_test.go:") {
		t.Errorf("no stack in %q", stderr)
	}
}

func TestErrorsHaveTheirExitCodes(t *testing.T) {
	tests := []struct {
		name string
		err  error
		code int
		line string
	}{
		{"none", nil, 0, ""},
		{"a failed verdict", exitCode(ExitFailed), 1, ""},
		{"an undecided verdict", exitCode(ExitUndecided), 3, ""},
		{"usage", usagef("no step %q", "x"), 2, "fleetgate: no step \"x\"\n"},
		{"configuration", &gate.UsageError{Message: "no base", Hint: "give --base"}, 2, "fleetgate: no base; give --base\n"},
		{"wrapped usage", errors.Join(usagef("a"), io.EOF), 2, "fleetgate: a EOF\n"},
		{"undecided", &gate.UndecidedError{Message: "no object", Hint: "fetch it"}, 3, "fleetgate: no object; fetch it\n"},
		{"anything else", io.ErrUnexpectedEOF, 3, "fleetgate: unexpected EOF\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _, stderr := testApp(nil)
			code := a.run(t.Context(), a.with(func(context.Context) error { return tt.err }), []string{"probe"})
			if code != tt.code || stderr.String() != tt.line {
				t.Errorf("got %d and %q, want %d and %q", code, stderr, tt.code, tt.line)
			}
		})
	}
}

func TestInterruptIsUndecided(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a, _, stderr := testApp(nil)
	code := a.run(ctx, a.with(func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}), []string{"probe"})
	if code != ExitUndecided || stderr.String() != "fleetgate: interrupted: nothing was decided\n" {
		t.Errorf("got %d and %q", code, stderr)
	}
}

func TestVerdictExit(t *testing.T) {
	tests := []struct {
		word    verdict.Word
		observe bool
		want    int
	}{
		{verdict.Passed, false, 0},
		{verdict.Failed, false, 1},
		{verdict.Undecided, false, 3},
		{verdict.Passed, true, 0},
		{verdict.Failed, true, 0},
		{verdict.Undecided, true, 3},
		{"", false, 3},
		{"splendid", true, 3},
	}
	for _, tt := range tests {
		got := 0
		if err := verdictExit(&verdict.Verdict{Word: tt.word, Observe: tt.observe}); err != nil {
			got = int(err.(exitCode))
		}
		if got != tt.want {
			t.Errorf("verdict %q, observe %t: exit code %d, want %d", tt.word, tt.observe, got, tt.want)
		}
	}
}

func TestAReportThatCannotBeWrittenIsNoPass(t *testing.T) {
	a, _, stderr := testApp(nil)
	a.stdout = brokenWriter{}
	if code := a.run(t.Context(), a.rootFor(nil), []string{"version"}); code != ExitUndecided {
		t.Errorf("exit code %d, want %d (%s)", code, ExitUndecided, stderr)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPlainKeepsOneHarmlessLine(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"letters of every script stay", "docs/é/文.md", "docs/é/文.md"},
		{"line ends become blanks", "a\n::error::b\r\nc\td", "a ::error::b  c d"},
		{"escapes are shown", "\x1b[31mred", `\u{1b}[31mred`},
		{"directions are shown", "a\u202eb", `a\u{202e}b`},
		{"a runner's command is broken up", "x ##[error] y", "x ## [error] y"},
		{"bytes that are no text are replaced", "a\xffb", "a\ufffdb"},
	}
	for _, tt := range tests {
		if got := plain(tt.text); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestVersionDoesNotFollowTheWorkTree(t *testing.T) {
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"go install of a release", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"a work tree", debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260101000000-abcdef012345+dirty"}, Settings: []debug.BuildSetting{{Key: "vcs", Value: "git"}}}, "dev"},
		{"no version", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "dev"},
		{"a test binary", debug.BuildInfo{}, "dev"},
	}
	for _, tt := range tests {
		if got := moduleVersion(&tt.info); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"demo": "demo", "/tmp/a-b_c.d": "/tmp/a-b_c.d", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}
