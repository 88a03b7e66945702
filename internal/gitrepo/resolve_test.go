package gitrepo

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

func TestResolveGivesTheCommitThatGitGives(t *testing.T) {
	git := newSmall(t)
	git.run("tag", "light", "HEAD~1")
	git.run("tag", "-a", "-m", "annotated", "v1", "HEAD~2")
	git.run("tag", "-a", "-m", "nested", "v1-nested", "v1")
	git.run("update-ref", "refs/remotes/origin/main", "HEAD~1")
	git.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	git.run("update-ref", "refs/custom/thing", "HEAD~1^2")
	git.run("branch", "feature/é-x", "HEAD~1")
	git.run("branch", "packed", "side")
	git.run("pack-refs", "--all")
	git.run("update-ref", "refs/heads/side", "HEAD~2")
	writeFile(t, filepath.Join(git.dir, ".git", "FETCH_HEAD"), git.run("rev-parse", "side")+"\tnot-for-merge\tbranch 'x' of y\n")
	repo := git.open()
	head := git.run("rev-parse", "HEAD")
	for _, rev := range []string{
		"HEAD", "@", "main", "heads/main", "refs/heads/main", head, strings.ToUpper(head), head[:10], head[:7],
		"side", "packed", "feature/é-x", "light", "tags/light", "v1", "v1-nested", "refs/tags/v1-nested",
		"origin/main", "remotes/origin/main", "refs/remotes/origin/HEAD", "origin", "refs/custom/thing", "custom/thing",
		"FETCH_HEAD", "HEAD^", "HEAD~", "HEAD~2", "HEAD^0", "HEAD~0", "HEAD~1^2", "HEAD^^2", "HEAD~1^2~1", "v1^{commit}", "v1^", "HEAD^{commit}~1",
		git.run("rev-parse", "v1-nested"),
	} {
		got, err := repo.Resolve(rev)
		if want := git.id(rev + "^{commit}"); err != nil || got != want {
			t.Errorf("Resolve(%q) = %s, %v; want %s", rev, got, err, want)
		}
	}
}

func TestResolvePrefersBranchesToTags(t *testing.T) {
	git := newSmall(t)
	branch, tag := git.id("HEAD"), git.id("HEAD~1")
	for _, name := range []string{"refs/heads/both", "refs/remotes/origin/main"} {
		git.run("update-ref", name, branch.String())
	}
	for _, name := range []string{"refs/tags/both", "refs/tags/origin/main"} {
		git.run("update-ref", name, tag.String())
	}
	repo := git.open()
	for _, rev := range []string{"both", "origin/main"} {
		if got, err := repo.Resolve(rev); err != nil || got != branch {
			t.Errorf("Resolve(%q) = %s, %v; want the branch's %s", rev, got, err, branch)
		}
	}
}

func TestAFullIdIsTakenAsItIs(t *testing.T) {
	git := newSmall(t)
	head := git.id("HEAD")
	git.run("update-ref", "refs/heads/"+head.String(), "HEAD~1")
	if got, err := git.open().Resolve(head.String()); err != nil || got != head {
		t.Errorf("Resolve gives %s, %v; want %s", got, err, head)
	}
}

func TestResolveSaysWhatIsWrongWithARevision(t *testing.T) {
	git := newSmall(t)
	dot := filepath.Join(git.dir, ".git")
	git.run("tag", "a-tree", "HEAD^{tree}")
	writeFile(t, filepath.Join(dot, "refs", "heads", "empty"), "")
	writeFile(t, filepath.Join(dot, "refs", "heads", "garbage"), "hello\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "short"), git.run("rev-parse", "HEAD")[:39]+"\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "long"), git.run("rev-parse", "HEAD")+"0\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "zero"), strings.Repeat("0", 40)+"\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "loop"), "ref: refs/heads/pool\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "pool"), "ref: refs/heads/loop\n")
	writeFile(t, filepath.Join(dot, "refs", "heads", "outside"), "ref: ../../config\n")
	writeFile(t, filepath.Join(dot, "UNBORN"), "ref: refs/heads/nothing\n")
	repo := git.open()
	isRevision, isRef := isError[*RevisionError], isError[*RefError]
	cases := []struct {
		rev, want string
		is        func(error) bool
	}{
		{"", "is empty", isRevision},
		{"-x", "begins with a dash", isRevision},
		{"--help", "begins with a dash", isRevision},
		{"a\x00b", "contains a control character", isRevision},
		{"a\nb", "contains a control character", isRevision},
		{"nothing", `revision "nothing" names no branch, tag or commit`, isRevision},
		{"fff", "names no branch, tag or commit", isRevision},
		{"ffffffff", "names no branch, tag or commit", isRevision},
		{"HEAD~99", "has no parent 1", isRevision},
		{"HEAD^3", "has no parent 3", isRevision},
		{"HEAD^{tree}", "isn't understood here", isRevision},
		{"HEAD^{/fix}", "isn't understood here", isRevision},
		{"HEAD^-", "isn't understood here", isRevision},
		{"HEAD~99999999999999999999", "isn't understood here", isRevision},
		{"HEAD@{1}", "isn't understood here", isRevision},
		{"@{u}", "isn't understood here", isRevision},
		{"main..side", "isn't understood here", isRevision},
		{"HEAD:a.txt", "isn't understood here", isRevision},
		{":/fix", "isn't understood here", isRevision},
		{"^main", "names no branch, tag or commit", isRevision},
		{"a-tree", "which is a tree, not a commit", isRevision},
		{"HEAD^{commit", "isn't understood here", isRevision},
		{strings.Repeat("a", MaxRevision+1), "(MaxRevision)", isRevision},
		{"UNBORN", "points at refs/heads/nothing, which has no commit yet", isRevision},
		{"empty", `reference "refs/heads/empty" is empty`, isRef},
		{"garbage", `reference "refs/heads/garbage" holds neither`, isRef},
		{"short", "holds neither an object id nor a reference", isRef},
		{"long", "holds neither an object id nor a reference", isRef},
		{"zero", "holds neither an object id nor a reference", isRef},
		{"loop", "leads through more than 5 symbolic references (MaxSymbolicDepth)", isRef},
		{"outside", `points at "../../config", which is no name that git allows`, isRef},
		{strings.Repeat("f", 40), "object ffffffffffffffffffffffffffffffffffffffff is not in this repository", isError[*MissingObjectError]},
	}
	for _, c := range cases {
		_, err := repo.Resolve(c.rev)
		if err == nil || !strings.Contains(err.Error(), c.want) || !c.is(err) {
			t.Errorf("Resolve(%.40q) gives %v (%T), want %q", c.rev, err, err, c.want)
		}
	}
}

func TestAnUnbornBranchIsNamed(t *testing.T) {
	repo := newGit(t).open()
	_, err := repo.Resolve("HEAD")
	if want := "HEAD\" points at refs/heads/main, which has no commit yet"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Resolve gives %v, want %q", err, want)
	}
	if name, err := repo.HeadBranch(); name != "main" || err != nil {
		t.Errorf("HeadBranch gives %q, %v", name, err)
	}
}

func TestAShortIdMeansTheOnlyCommitThatBeginsSo(t *testing.T) {
	git := newGit(t)
	var s stream
	for i := range 900 { // enough for ids that share four digits
		s.commit(step{date: int64(i), message: fmt.Sprint(i), edits: []string{inline("100644", "a", fmt.Sprint(i))}})
	}
	ids := git.load(&s)
	repo := git.open()
	byPrefix := map[string]int{}
	for _, id := range ids[1:] {
		byPrefix[id.String()[:minShortID]]++
	}
	ambiguous := 0
	for _, id := range ids[1:] {
		short := id.String()[:minShortID]
		got, err := repo.Resolve(short)
		switch {
		case byPrefix[short] == 1:
			if err != nil || got != id {
				t.Fatalf("Resolve(%q) = %s, %v; want %s", short, got, err, id)
			}
		case err == nil || !strings.Contains(err.Error(), "is ambiguous"):
			t.Fatalf("Resolve(%q) = %s, %v; it is ambiguous", short, got, err)
		default:
			ambiguous++
		}
	}
	if ambiguous == 0 {
		t.Error("no two ids share four digits: the test says nothing")
	}
}

func TestRefTellsAbsentFromBroken(t *testing.T) {
	git := newSmall(t)
	git.run("tag", "-a", "-m", "annotated", "v1")
	git.run("tag", "a-blob", "HEAD:a.txt")
	git.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
	writeFile(t, filepath.Join(git.dir, ".git", "refs", "heads", "empty"), "\n")
	git.run("pack-refs", "--all")
	appendLine(t, filepath.Join(git.dir, ".git", "packed-refs"), strings.Repeat("z", 40)+" refs/heads/zz")
	repo := git.open()
	if id, ok, err := repo.Ref("refs/tags/v1"); id != git.id("HEAD") || !ok || err != nil {
		t.Errorf("an annotated tag gives %s, %v, %v", id, ok, err)
	}
	for _, name := range []string{"refs/heads/none", "refs/heads", "refs/remotes/origin/HEAD", "refs/heads/main/below", "NOTHING"} {
		if id, ok, err := repo.Ref(name); !id.IsZero() || ok || err != nil {
			t.Errorf("Ref(%q) = %s, %v, %v; there is none", name, id, ok, err)
		}
	}
	for _, name := range []string{"refs/heads/empty", "refs/tags/a-blob", "refs/heads/zz", "refs/../config", "config", "refs/heads/a..b", "refs/heads/.a", "refs/heads/a.lock", "refs//heads", ""} {
		if _, ok, err := repo.Ref(name); ok || !isError[*RefError](err) {
			t.Errorf("Ref(%q) = %v, %v; want a RefError", name, ok, err)
		}
	}
	if name, err := repo.OriginHead(); name != "refs/remotes/origin/gone" || err != nil {
		t.Errorf("OriginHead gives %q, %v", name, err)
	}
}

func appendLine(tb testing.TB, path, line string) {
	tb.Helper()
	writeFile(tb, path, readFile(tb, path)+line+"\n")
}

func TestAChainOfTagsIsBounded(t *testing.T) {
	git := newSmall(t)
	at, kind := git.id("HEAD"), "commit"
	var chain []boundary.OID
	for range MaxTagDepth + 1 {
		at = git.object("tag", fmt.Appendf(nil, "object %s\ntype %s\ntag x\ntagger T <t@example.com> 1 +0000\n\nx\n", at, kind))
		kind = "tag"
		chain = append(chain, at)
	}
	repo := git.open()
	if got, err := repo.Resolve(chain[MaxTagDepth-1].String()); err != nil || got != git.id("HEAD") {
		t.Errorf("%d tags give %s, %v", MaxTagDepth, got, err)
	}
	if _, err := repo.Resolve(chain[MaxTagDepth].String()); !isError[*LimitError](err) {
		t.Errorf("%d tags give %v, want a LimitError", MaxTagDepth+1, err)
	}
}

func TestAParentThatAShallowCloneLeftOutIsMissing(t *testing.T) {
	git := newSmall(t)
	parent := git.id("HEAD~1")
	repo := mustOpen(t, git.clone(t, "--depth=1", "file://"+git.dir))
	_, err := repo.Resolve("HEAD^")
	if want := (&MissingObjectError{ID: parent, Kind: "commit", Shallow: true}).Error(); err == nil || err.Error() != want {
		t.Errorf("Resolve gives %v, want %s", err, want)
	}
	if !repo.Shallow() || git.open().Shallow() {
		t.Error("Shallow doesn't tell a shallow clone from a whole one")
	}
}
