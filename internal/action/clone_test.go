package action

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestACloneHasTheHistoryAndNoContents(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := filepath.Join(t.TempDir(), "clone")
	if err := w.fetcher().Clone(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	tip := w.commits[29].String()
	if got := w.git(dir, "rev-list", "--count", "HEAD"); got != "30" || !w.has(dir, tip+":docs/deep") {
		t.Errorf("%s commits are there, want 30 with their trees", got)
	}
	if w.has(dir, tip+":n") {
		t.Error("the clone has a file's contents")
	}
	if w.has(dir, w.side.String()) {
		t.Error("the clone has a branch that nobody asked for")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the clone has a work tree: %v", entries)
	}
	_, encoded, _ := strings.Cut(basicAuthorization(canary), " ")
	for name, text := range filesOf(t, dir) {
		if strings.Contains(text, canary) || strings.Contains(text, encoded) {
			t.Errorf("the token is in %s", name)
		}
	}
}

func TestWhatCannotBeClonedSaysWhyAndLeavesNothing(t *testing.T) {
	w := newWorld(t, 12, canary)
	for name, tt := range map[string]struct {
		edit func(*Fetcher)
		want string
	}{
		"gone":      {func(f *Fetcher) { f.Repository = "octo/gone" }, "the history of octo/gone can't be fetched: fatal: "},
		"no token":  {func(f *Fetcher) { f.Token = "" }, "the history of octo/app can't be fetched: the server wants a token"},
		"bad name":  {func(f *Fetcher) { f.Repository = "octo/../x" }, "is not OWNER/REPO"},
		"no server": {func(f *Fetcher) { f.Server = "ext::sh -c evil" }, "no http address"},
	} {
		f, dir := w.fetcher(), filepath.Join(t.TempDir(), "clone")
		tt.edit(f)
		err := f.Clone(context.Background(), dir)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: something is left behind", name)
		}
	}
}

// Whatever a new repository has here by default, a clone is one that is read.
func TestACloneTakesNoFormatFromTheEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it puts a shell script in git's place")
	}
	w := newWorld(t, 12, canary)
	f, at := w.fetcher(), t.TempDir()
	config, log := filepath.Join(at, "config"), filepath.Join(at, "log")
	for name, text := range map[string]string{
		config:                   "[init]\n\tdefaultRefFormat = reftable\n\tdefaultObjectFormat = sha256\n",
		filepath.Join(at, "git"): "#!/bin/sh\n{ env; printf '%s\\n' \"$@\"; } >>'" + log + "'\nexec git \"$@\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f.Git = filepath.Join(at, "git")
	f.Environ = append(slices.Clone(w.environ), "GIT_CONFIG_GLOBAL="+config, "GIT_DEFAULT_HASH=sha256", "GIT_DEFAULT_REF_FORMAT=reftable")
	dir := filepath.Join(at, "clone")
	if err := f.Clone(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(told), "\ninit.defaultRefFormat=files\nclone\n") || strings.Contains(string(told), "GIT_DEFAULT_") {
		t.Errorf("git was told %s, %v", told, err)
	}
	settings := strings.ToLower(w.git(dir, "config", "--local", "--list"))
	if strings.Contains(settings, "reftable") || strings.Contains(settings, "objectformat=sha256") {
		t.Errorf("the clone has\n%s", settings)
	}
}
