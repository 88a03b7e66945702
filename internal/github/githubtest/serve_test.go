package githubtest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A process serves, records, and ends with what was wrong.
func TestAProcessServesAndRecords(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds a program, and interrupts it, which Windows can't")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "server.exe")
	if out, err := exec.Command("go", "build", "-o", program, "main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	seed := filepath.Join(dir, "seed.json")
	text, err := json.Marshal(state())
	if err != nil {
		t.Fatal(err)
	}
	write(t, seed, string(text))
	record, address := filepath.Join(dir, "record.json"), filepath.Join(dir, "url")

	command := exec.Command(program, "-seed", seed, "-record", record, "-url", address)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	url := waitFor(t, address)
	if status, _, _ := (request{method: "POST", path: onPull, body: `{"body": "x"}`}).send(t, url); status != 201 {
		t.Errorf("the answer is %d", status)
	}
	request{method: "GET", path: "/user"}.send(t, url)
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); command.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "misused: GET /user: no such route") {
		t.Errorf("it ended with %v: %s", err, stderr.String())
	}
	var got Record
	if err := json.Unmarshal([]byte(waitFor(t, record)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Requests) != 2 || len(got.Problems) != 1 || len(got.State.Repositories[0].Issues[0].Comments) != 2 {
		t.Errorf("the record is %+v", got)
	}
}

func waitFor(t *testing.T, path string) string {
	t.Helper()
	for range 500 {
		if text, err := os.ReadFile(path); err == nil {
			return string(text)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not appear", path)
	return ""
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAProcessWithoutProblemsEndsWithZero(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "seed.json")
	write(t, seed, `{"token": "secret-token", "login": "octocat", "path": "/api/v3", "repositories": []}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := Serve(ctx, []string{"-seed", seed}, &stdout, &stderr)
	if code != 0 || !strings.HasPrefix(stdout.String(), "http://127.0.0.1:") || !strings.HasSuffix(stdout.String(), "/api/v3\n") || stderr.Len() > 0 {
		t.Errorf("%d: %s%s", code, stdout.String(), stderr.String())
	}
}

func TestAProcessThatCannotStartSaysWhy(t *testing.T) {
	dir := t.TempDir()
	good, unknown, empty := filepath.Join(dir, "good"), filepath.Join(dir, "unknown"), filepath.Join(dir, "empty")
	write(t, good, `{"token": "t", "login": "l", "repositories": []}`)
	write(t, unknown, `{"token": "t", "login": "l", "repos": []}`)
	write(t, empty, `{}`)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no seed":            {nil, "no such file"},
		"an unknown member":  {[]string{"-seed", unknown}, `unknown field "repos"`},
		"no token":           {[]string{"-seed", empty}, "needs a token and a login"},
		"an unknown flag":    {[]string{"-sed", good}, "flag provided but not defined"},
		"an argument":        {[]string{"-seed", good, "x"}, "usage: githubtest"},
		"no such address":    {[]string{"-seed", good, "-listen", "256.0.0.1:0"}, "256.0.0.1"},
		"a URL with no home": {[]string{"-seed", good, "-url", filepath.Join(dir, "none", "url")}, "no such file"},
	} {
		var stdout, stderr bytes.Buffer
		if code := Serve(t.Context(), c.args, &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: %d, %s", name, code, stderr.String())
		}
	}
}
