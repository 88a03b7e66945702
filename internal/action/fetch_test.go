package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/action/gitserver"
	"github.com/fleetgate/fleetgate/internal/boundary"
)

const canary = "ghs_CANARYcanaryCANARYcanary0123456789"

// world is a server with octo/app: a linear history of commits on main, with a
// folder, a branch side off the 10th, and a tag that is named like a branch.
type world struct {
	t       *testing.T
	dir     string
	server  *gitserver.Server
	environ []string
	commits []boundary.OID // of main, oldest first
	side    boundary.OID
}

func newWorld(t *testing.T, commits int, token string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	home := t.TempDir()
	w.environ = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	at := filepath.Join(w.dir, "octo", "app")
	w.git(w.dir, "init", "--quiet", "--bare", at)
	var stream bytes.Buffer
	for i := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/main\nmark :%d\ncommitter Ada <ada@example.com> %d +0000\ndata 1\nc\n", i+1, 1_700_000_000+i)
		fmt.Fprintf(&stream, "M 100644 inline docs/deep/%d\ndata <<E\ncontent %d\nE\nM 100644 inline n\ndata <<E\n%d\nE\n\n", i%7, i, i)
	}
	fmt.Fprintf(&stream, "commit refs/heads/side\ncommitter Ada <ada@example.com> 1700009999 +0000\ndata 1\ns\nfrom :10\nM 100644 inline s\ndata 1\ns\n")
	fmt.Fprintf(&stream, "reset refs/tags/refs/heads/main\nfrom :1\n\n")
	w.gitIn(at, stream.String(), "fast-import", "--quiet")
	w.git(at, "symbolic-ref", "HEAD", "refs/heads/main")
	for _, line := range strings.Fields(w.git(at, "rev-list", "--reverse", "refs/heads/main")) {
		w.commits = append(w.commits, oid(t, line))
	}
	w.side = oid(t, w.git(at, "rev-parse", "refs/heads/side"))
	w.server = gitserver.New(t, w.dir, token)
	return w
}

func oid(t *testing.T, hex string) boundary.OID {
	t.Helper()
	id, ok := boundary.ParseOID(hex)
	if !ok {
		t.Fatalf("%q is no id", hex)
	}
	return id
}

func (w *world) git(dir string, args ...string) string { return w.gitIn(dir, "", args...) }

func (w *world) gitIn(dir, stdin string, args ...string) string {
	w.t.Helper()
	command := exec.Command("git", args...)
	command.Dir, command.Env, command.Stdin = dir, append(w.environ, "GIT_NO_LAZY_FETCH=1"), strings.NewReader(stdin)
	var problem bytes.Buffer
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v: %s", args, err, problem.String())
	}
	return strings.TrimSpace(string(out))
}

// clone clones by the file system, so that the server sees only what is fetched.
func (w *world) clone(args ...string) string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "clone")
	at := filepath.Join(w.dir, "octo", "app")
	w.git(at, "config", "uploadpack.allowFilter", "true")
	w.git(w.dir, slices.Concat([]string{"clone", "--quiet", "--no-tags"}, args, []string{"file://" + at, dir})...)
	return dir
}

func (w *world) fetcher() *Fetcher {
	return &Fetcher{Environ: w.environ, Server: w.server.URL, Repository: "octo/app", Token: canary}
}

// has says whether a clone holds an object, without fetching it.
func (w *world) has(dir, object string) bool {
	command := exec.Command("git", "-c", "remote.origin.promisor=false", "cat-file", "-e", object)
	command.Dir, command.Env = dir, append(w.environ, "GIT_NO_LAZY_FETCH=1")
	return command.Run() == nil
}

func (w *world) fetch(r Request) (map[string]boundary.OID, error) {
	return w.fetcher().Fetch(context.Background(), r)
}

func TestTipsAreThoseOfBranches(t *testing.T) {
	w := newWorld(t, 12, canary)
	got, err := w.fetch(Request{GitDir: w.clone("--depth=1") + "/.git", Branches: []string{"main", "side", "gone", "-x", "a b", "*"}})
	if err != nil {
		t.Fatal(err)
	}
	zero := boundary.OID{}
	want := map[string]boundary.OID{"main": w.commits[11], "side": w.side, "gone": zero, "-x": zero, "a b": zero, "*": zero}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tips (-want +got):\n%s", diff)
	}
}

func TestACommitOfAShallowCloneComesAlone(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := w.clone("--depth=1")
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Shallow: true, Commits: []boundary.OID{w.side}}); err != nil {
		t.Fatal(err)
	}
	if !w.has(dir, w.side.String()) || w.has(dir, w.commits[9].String()) {
		t.Error("want the commit, and not its parent")
	}
}

func TestAShallowCloneIsDeepenedByAsMuchAsIsAskedFor(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := w.clone("--depth=1")
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Shallow: true, Commits: []boundary.OID{w.commits[29]}, Deepen: 5}); err != nil {
		t.Fatal(err)
	}
	if !w.has(dir, w.commits[24].String()) || w.has(dir, w.commits[23].String()) {
		t.Error("want five more commits, and no sixth")
	}
	if got := w.git(dir, "rev-list", "--count", "HEAD"); got != "6" {
		t.Errorf("git itself sees %s commits, want 6", got)
	}
}

func TestAWholeCloneGetsWhatIsBehindACommit(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := w.clone("--single-branch", "--branch=side")
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Commits: []boundary.OID{w.commits[20]}}); err != nil {
		t.Fatal(err)
	}
	if got := w.git(dir, "rev-list", "--count", w.commits[20].String()); got != "21" {
		t.Errorf("%s commits are there, want 21", got)
	}
}

func TestABloblessCloneGetsNoBlobThatNobodyAskedFor(t *testing.T) {
	w := newWorld(t, 12, canary)
	dir := w.clone("--filter=blob:none", "--no-checkout", "--single-branch", "--branch=side")
	tip := w.commits[11].String()
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Partial: true, Commits: []boundary.OID{w.commits[11]}}); err != nil {
		t.Fatal(err)
	}
	if !w.has(dir, tip+":docs/deep") || w.has(dir, tip+":n") {
		t.Fatal("want the commit with its trees, and no blob")
	}
	blob := oid(t, w.git(dir, "rev-parse", tip+":docs/deep/4"))
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Partial: true, Objects: []boundary.OID{blob}}); err != nil {
		t.Fatal(err)
	}
	if !w.has(dir, blob.String()) || w.has(dir, tip+":n") {
		t.Error("want exactly the blob that was asked for")
	}
}

func TestATreeOfATreelessCloneComesWithTheTreesBelowIt(t *testing.T) {
	w := newWorld(t, 12, canary)
	dir := w.clone("--filter=tree:0", "--no-checkout")
	at := filepath.Join(w.dir, "octo", "app")
	tree := oid(t, w.git(at, "rev-parse", w.commits[11].String()+"^{tree}"))
	deep := w.git(at, "rev-parse", w.commits[11].String()+":docs/deep")
	if w.has(dir, deep) {
		t.Fatal("the clone isn't treeless")
	}
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Partial: true, Objects: []boundary.OID{tree}}); err != nil {
		t.Fatal(err)
	}
	if !w.has(dir, deep) {
		t.Error("the tree came without the trees below it")
	}
}

// A fetch writes objects, and where a shallow clone ends: nothing else.
func TestAFetchLeavesEverythingElseAsItIs(t *testing.T) {
	w := newWorld(t, 30, canary)
	dir := w.clone("--depth=1")
	w.git(dir, "config", "fetch.prune", "true")
	w.git(dir, "config", "fetch.writeCommitGraph", "true")
	hook := filepath.Join(dir, ".git", "hooks", "reference-transaction")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch \"$GIT_DIR/hook-ran\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, dir)
	for _, r := range []Request{
		{Branches: []string{"main", "side"}},
		{Shallow: true, Commits: []boundary.OID{w.side}},
		{Shallow: true, Commits: []boundary.OID{w.side, w.commits[29]}, Deepen: 3},
		{Shallow: true, Objects: []boundary.OID{w.commits[2]}},
	} {
		r.GitDir = dir + "/.git"
		if _, err := w.fetch(r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
		t.Errorf("the clone changed (-before +after):\n%s", diff)
	}
}

// In a container the checkout often belongs to somebody else.
func TestAClonesOwnerDoesNotMatter(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	w := newWorld(t, 12, canary)
	dir := w.clone("--depth=1")
	const nobody = 65534
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Shallow: true, Commits: []boundary.OID{w.commits[11]}, Deepen: 2}); err != nil {
		t.Error(err)
	}
}

// filesOf gives what a clone holds besides objects and the end of its history.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ".git/objects/") || name == ".git/shallow" {
			return err
		}
		content, err := os.ReadFile(path)
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWhatCannotBeFetchedSaysWhy(t *testing.T) {
	w := newWorld(t, 12, canary)
	missing := []boundary.OID{oid(t, shaA)}
	dir := w.clone("--depth=1")
	moved := httptest.NewServer(http.RedirectHandler(w.server.URL+"/octo/app", http.StatusFound))
	defer moved.Close()
	tests := []struct {
		name string
		edit func(*Fetcher)
		want string
	}{
		{"no such commit", func(*Fetcher) {}, "upload-pack: not our ref " + shaA},
		{"a wrong token", func(f *Fetcher) { f.Token = "wrong" }, "the server wants a token that may read it"},
		{"no token", func(f *Fetcher) { f.Token = "" }, "the server wants a token that may read it"},
		{"no such repository", func(f *Fetcher) { f.Repository = "octo/none" }, "not found"},
		{"no server", func(f *Fetcher) { f.Server = "http://127.0.0.1:1" }, "unable to access"},
		{"a redirect, which could lead the token away", func(f *Fetcher) { f.Server = moved.URL }, "unable to access"},
		{"an address of another kind", func(f *Fetcher) { f.Server = "ext::sh -c true" }, "the server's address is no http address"},
		{"an address with a password", func(f *Fetcher) { f.Server = "https://a:b@example.com" }, "the server's address is no http address"},
		{"a repository that is a path", func(f *Fetcher) { f.Repository = "../x" }, "it is not OWNER/REPO"},
		{"no git", func(f *Fetcher) { f.Git = "git-of-nowhere" }, "there is no git on this machine"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := w.fetcher()
			tt.edit(f)
			_, err := f.Fetch(t.Context(), Request{GitDir: dir + "/.git", Shallow: true, Commits: missing})
			var failed *FetchError
			if !errors.As(err, &failed) || !strings.Contains(failed.Why, tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if err != nil && (strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("the message holds the token, or a line end: %q", err)
			}
		})
	}
}

func TestACancelledFetchEnds(t *testing.T) {
	w := newWorld(t, 12, canary)
	ctx, cancel := context.WithCancel(t.Context())
	w.server.OnRequest(func(gitserver.Request) { cancel() })
	_, err := w.fetcher().Fetch(ctx, Request{GitDir: w.clone("--depth=1") + "/.git", Branches: []string{"main"}})
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v", err)
	}
}

func TestAFetchThatTakesTooLongEnds(t *testing.T) {
	w := newWorld(t, 12, canary)
	stop := make(chan struct{})
	w.server.OnRequest(func(gitserver.Request) { <-stop })
	defer close(stop)
	f := w.fetcher()
	f.Limit = 300 * time.Millisecond
	_, err := f.Fetch(t.Context(), Request{GitDir: w.clone("--depth=1") + "/.git", Branches: []string{"main"}})
	if err == nil || !strings.Contains(err.Error(), "it took too long") {
		t.Errorf("error %v", err)
	}
}

// A checkout leaves its own credentials in the clone. With ours beside them a
// request would carry two, which GitHub refuses.
func TestOneAuthorizationIsSentWhateverTheCloneHas(t *testing.T) {
	w := newWorld(t, 12, canary)
	dir := w.clone("--depth=1")
	w.git(dir, "config", "http."+w.server.URL+"/.extraheader", "AUTHORIZATION: basic b2xk")
	w.git(dir, "config", "http.extraheader", "AUTHORIZATION: basic b2xkZXI=")
	w.git(dir, "config", "http."+w.server.URL+"/octo/app.extraheader", "AUTHORIZATION: basic b2xkZXN0")
	if _, err := w.fetch(Request{GitDir: dir + "/.git", Shallow: true, Commits: []boundary.OID{w.side}}); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.server.Requests() {
		if !r.Signed || r.Auth != 1 {
			t.Errorf("%s had %d Authorization headers, signed: %t", r.Path, r.Auth, r.Signed)
		}
	}
}

// Without a token, an origin that is the repository is asked, with what
// credentials the clone has for it.
func TestWithoutATokenTheCloneItselfIsAsked(t *testing.T) {
	w := newWorld(t, 12, canary)
	dir := w.clone("--depth=1")
	_, encoded, _ := strings.Cut(basicAuthorization(canary), " ")
	w.git(dir, "config", "http."+w.server.URL+"/.extraheader", "Authorization: "+encoded)
	f := w.fetcher()
	f.Token = ""
	if _, err := f.Fetch(t.Context(), Request{GitDir: dir + "/.git", Origin: w.server.URL + "/octo/app.git", Shallow: true, Commits: []boundary.OID{w.side}}); err == nil {
		t.Error("a repository that isn't there was fetched from")
	}
	if _, err := f.Fetch(t.Context(), Request{GitDir: dir + "/.git", Origin: w.server.URL + "/octo/app", Shallow: true, Commits: []boundary.OID{w.side}}); err != nil {
		t.Error(err)
	}
}

func TestGitGetsNoMoreOfTheEnvironmentThanItNeeds(t *testing.T) {
	environ := []string{
		"PATH=/bin", "https_proxy=http://proxy", "GIT_SSL_CAINFO=/ca", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c",
		"INPUT_TOKEN=secret", "input_token=secret", "GITHUB_TOKEN=secret", "GH_TOKEN=secret", "ACTIONS_RUNTIME_TOKEN=secret",
		"GIT_TRACE_CURL=1", "GIT_TRACE=1", "GIT_CURL_VERBOSE=1", "GIT_DIR=/elsewhere", "GIT_DEFAULT_HASH=sha256", "GIT_DEFAULT_REF_FORMAT=reftable", "GIT_ASKPASS=/ask", "GIT_TERMINAL_PROMPT=1", "LC_ALL=de",
	}
	got := append(gitEnvironment(environ), source{url: "https://example.com/octo/app", header: "H: secret"}.configuration(environ, false)...)
	want := []string{
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_NO_LAZY_FETCH=1", "GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C",
		"PATH=/bin", "https_proxy=http://proxy", "GIT_SSL_CAINFO=/ca", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c",
		"GIT_CONFIG_KEY_1=remote.fleetgate-source.url", "GIT_CONFIG_VALUE_1=https://example.com/octo/app",
		"GIT_CONFIG_KEY_2=http.followRedirects", "GIT_CONFIG_VALUE_2=false",
		"GIT_CONFIG_KEY_3=http.lowSpeedLimit", "GIT_CONFIG_VALUE_3=1000",
		"GIT_CONFIG_KEY_4=http.lowSpeedTime", "GIT_CONFIG_VALUE_4=60",
		"GIT_CONFIG_KEY_5=fetch.writeCommitGraph", "GIT_CONFIG_VALUE_5=false",
		"GIT_CONFIG_KEY_6=http.https://example.com/octo/app.extraHeader", "GIT_CONFIG_VALUE_6=",
		"GIT_CONFIG_KEY_7=http.https://example.com/octo/app.extraHeader", "GIT_CONFIG_VALUE_7=H: secret",
		"GIT_CONFIG_COUNT=8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestWhatGitPrintsIsBounded(t *testing.T) {
	var b bounded
	for range 3 {
		if n, err := b.Write(make([]byte, MaxGitOutput)); n != MaxGitOutput || err != nil {
			t.Fatal(n, err)
		}
	}
	if b.Len() != MaxGitOutput {
		t.Errorf("%d bytes are kept", b.Len())
	}
}
