package boundary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
)

const (
	docs   = "t\n\nFleet-Step: docs/write\n"
	exact  = "t\n\nFleet-Step: docs/exact\n"
	src    = "t\n\nFleet-Step: src/write\n"
	human  = "t\n"
	signed = "t\n\nCo-authored-by: Claude <noreply@anthropic.com>\n"
)

// fleetRules make a pull request of bot a fleet's.
func fleetRules(unclaimed Unclaimed) (Rules, Actor) {
	return Rules{Permit: []Permit{{Login: "bot", Steps: []string{"docs/*", "src/*"}, Unclaimed: unclaimed}}},
		Actor{Login: "bot", PullRequest: true}
}

type judgeTest struct {
	name  string
	fleet Unclaimed // the pull request is a fleet's, with this weight of unclaimed commits
	step  string
	base  string
	build func(w *world)
	want  []string
}

func (tt judgeTest) run(t *testing.T) {
	w := newWorld(t, tt.base)
	tt.build(w)
	rules, actor := Rules{}, Actor{}
	if tt.fleet != "" {
		rules, actor = fleetRules(tt.fleet)
	}
	found, err := Judge(w.input(rules, actor, tt.step))
	if err != nil {
		t.Fatal(err)
	}
	if tt.want == nil {
		tt.want = []string{}
	}
	if diff := cmp.Diff(tt.want, w.told(found)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

func TestJudgeCommits(t *testing.T) {
	one := func(message, changes string) func(*world) {
		return func(w *world) { w.commit("c", "base", message, changes) }
	}
	tests := []judgeTest{
		{name: "inside the boundary", build: one(docs, "docs/a=1 README.md=1")},
		{name: "N1 a name in any script is covered", build: one(docs, "docs/bad-é.txt=1")},
		{name: "outside the boundary", build: one(docs, "src/a.go=1"), want: []string{"error boundary-outside c src/a.go"}},
		{name: "docs/ doesn't cover docs2/", build: one(docs, "docs2/a=1 docsx=1"), want: []string{"error boundary-outside c docs2/a", "error boundary-outside c docsx"}},
		{name: "case counts", build: one(docs, "Docs/a=1 readme.md=1"), want: []string{"error boundary-outside c Docs/a", "error boundary-outside c readme.md"}},
		{name: "N18 a backslash is an ordinary byte", build: one(docs, `docs\evil.sh=1`), want: []string{`error boundary-outside c docs\evil.sh`}},
		{name: "N5 a rename is judged on both sides", base: "src/a=1", build: one(docs, "src/a=- docs/a=1"), want: []string{"error boundary-outside c src/a"}},
		{name: "N6 a rename out of a protected directory", base: ".github/workflows/x=1", build: one(docs, ".github/workflows/x=- docs/x=1"), want: []string{"error boundary-policy-edit c .github/workflows/x"}},
		{name: "N12 a mode change counts", base: "src/a=1", build: one(docs, "src/a=*1"), want: []string{"error boundary-outside c src/a"}},
		{name: "a readonly step covers nothing", build: one("t\n\nFleet-Step: docs/review\n", "docs/a=1"), want: []string{"error boundary-outside c docs/a"}},
		{name: "several claims are one window", build: one("t\n\nFleet-Step: docs/write\nFleet-Step: src/write\nFleet-Step: docs/review\n", "docs/a=1 src/a=1 x=1"), want: []string{"error boundary-outside c x"}},
		{
			name: "a bad claim leaves no boundary, but protected paths stay so", build: one("t\n\nFleet-Step: docs/write\nFleet-Step: docs/wrte\n", "x=1 .clio-coder/fleets/docs.md=1"),
			want: []string{"error boundary-policy-edit c .clio-coder/fleets/docs.md"},
		},
		{name: "a person's commit passes", build: one(human, "x=1 .clio-coder/fleets/docs.md=1 .github/workflows/ci.yml=1")},
		{name: "A9 an agent's unclaimed commit may not edit the policy", build: one(signed, "x=1 .clio-coder/fleets/docs.md=1"), want: []string{"error boundary-policy-edit c .clio-coder/fleets/docs.md"}},
		{name: "H6 a person helped by an assistant may edit a workflow", build: one(signed, ".github/workflows/ci.yml=1 CODEOWNERS=1")},
		{name: "P2 the workflow is protected", build: one(docs, ".github/workflows/ci.yml=1"), want: []string{"error boundary-policy-edit c .github/workflows/ci.yml"}},
		{name: "A11 CODEOWNERS where GitHub reads it", build: one(docs, "docs/CODEOWNERS=1"), want: []string{"error boundary-policy-edit c docs/CODEOWNERS"}},
		{name: "an exact entry opens a workflow and CODEOWNERS", build: one(exact, ".github/workflows/ci.yml=1 CODEOWNERS=1")},
		{
			name: "N13 an alias of a protected path", build: one(docs, ".CLIO-CODER/fleets/x.md=1 .gitHub/Workflows/x=1"),
			want: []string{"error boundary-policy-edit c .CLIO-CODER/fleets/x.md", "error boundary-policy-edit c .gitHub/Workflows/x"},
		},
		{
			name: "a directory entry covers none of the special files", build: one(docs, "docs/.gitattributes=1 docs/x/CODEOWNERS=1 docs/x/action.yml=1 docs/Action.YAML=1 docs/.gitmodules=1"),
			want: []string{"error boundary-outside c docs/.gitattributes", "error boundary-outside c docs/.gitmodules", "error boundary-outside c docs/Action.YAML", "error boundary-outside c docs/x/CODEOWNERS", "error boundary-outside c docs/x/action.yml"},
		},
		{name: "an exact entry covers a special file", build: one(exact, "docs/.gitattributes=1")},
		{name: "N8 a submodule moved", base: "mod=@1 .gitmodules=mod", build: one(docs, "mod=@2"), want: []string{"error boundary-outside c mod"}},
		{name: "N10 a directory entry covers no submodule", build: one(docs, "docs/sub=@1"), want: []string{"error boundary-outside c docs/sub", "error tree-gitlink-undeclared c docs/sub"}},
		{name: "an exact entry covers a declared submodule", base: ".gitmodules=docs/sub", build: one(exact, "docs/sub=@1")},
		{name: "a submodule's removal needs an exact entry too", base: "docs/sub=@1 .gitmodules=docs/sub", build: one(docs, "docs/sub=-"), want: []string{"error boundary-outside c docs/sub"}},
		{name: "an undeclared submodule of a person's warns", build: one(human, "sub=@1"), want: []string{"warning tree-gitlink-undeclared c sub"}},
		{name: "--step replaces every claim", step: "src/write", build: one(docs, "docs/a=1 src/a=1"), want: []string{"error boundary-outside c docs/a"}},
		{name: "R10 a violation and its revert", base: "src/a=1", build: func(w *world) {
			w.commit("c", "base", docs, "src/a=2")
			w.commit("r", "c", docs, "src/a=1")
		}, want: []string{"warning boundary-restored c src/a", "warning boundary-restored r src/a"}},
		{name: "restored by a person", base: "src/a=1", build: func(w *world) {
			w.commit("c", "base", docs, "src/b=2")
			w.commit("r", "c", human, "src/b=-")
		}, want: []string{"warning boundary-restored c src/b"}},
		{name: "a policy edit isn't restored", build: func(w *world) {
			w.commit("c", "base", docs, ".github/workflows/ci.yml=2")
			w.commit("r", "c", human, ".github/workflows/ci.yml=-")
		}, want: []string{"error boundary-policy-edit c .github/workflows/ci.yml"}},
		{name: "H8 a cherry-pick of base's own fix", base: "src/a=fixed", build: func(w *world) {
			w.outside("fork", "src/a=1")
			w.rng.MergeBases = []OID{id("fork")}
			w.commit("c", "fork", docs, "src/a=fixed")
		}, want: []string{"warning boundary-restored c src/a"}},
		{name: "an unclaimed commit of a fleet's may touch nothing protected", fleet: UnclaimedWarn, build: one(human, "x=1 CODEOWNERS=1"), want: []string{"error boundary-policy-edit c CODEOWNERS"}},
		{name: "N19 a malformed tree", build: func(w *world) {
			w.commit("c", "base", human, "a=1")
			w.delta().Malformed = []TreeProblem{{Dir: "docs", Name: "..", Why: "is .."}, {Name: ".GIT", Why: "is .git"}}
			w.history.NetMalformed = []TreeProblem{{Name: ".GIT", Why: "is .git"}, {Name: "", Why: "is empty"}}
		}, want: []string{"error tree-malformed c .GIT", "error tree-malformed c docs/..", "error tree-malformed c"}},
		{name: "N13 an alias warns", build: func(w *world) {
			w.commit("c", "base", human, "Docs/x=1")
			w.delta().Aliases = []Alias{{Path: "Docs", Other: "docs"}}
		}, want: []string{"warning tree-alias c Docs"}},
		{name: "an alias by a step is an error", build: func(w *world) {
			w.commit("c", "base", docs, "docs/X=1")
			w.delta().Aliases = []Alias{{Path: "docs/X", Other: "docs/x"}}
		}, want: []string{"error tree-alias c docs/X"}},
		{name: "an imported commit isn't judged", build: func(w *world) { w.commit("c", "base", docs, "src/a=1").Imported = true }},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

func TestJudgeLinks(t *testing.T) {
	one := func(message, changes string) func(*world) {
		return func(w *world) { w.commit("c", "base", message, changes) }
	}
	escapes := []string{"error boundary-outside c docs/l", "error symlink-escape c docs/l"}
	tests := []judgeTest{
		{name: "N11 out of the repository", build: one(docs, "docs/l=->../../.github"), want: escapes},
		{name: "out of the boundary", build: one(docs, "docs/l=->../src"), want: escapes},
		{name: "to the root", build: one(docs, "docs/l=->.."), want: escapes},
		{name: "absolute", build: one(docs, "docs/l=->/etc/passwd"), want: escapes},
		{name: "to a drive", build: one(docs, "docs/l=->C:/x"), want: escapes},
		{name: "with backslashes", build: one(docs, `docs/l=->..\src`), want: escapes},
		{name: "out and in again by the repository's own name", build: one(docs, "docs/l=->../../repo/docs/a"), want: escapes},
		{name: "up from what isn't there yet", build: one(docs, "docs/x/l=->in/../a"), want: []string{"error boundary-outside c docs/x/l", "error symlink-escape c docs/x/l"}},
		{name: "up from a file", base: "docs/f=1", build: one(docs, "docs/l=->f/../a"), want: escapes},
		{name: "up from a directory", base: "docs/in/f=1", build: one(docs, "docs/l=->in/../a")},
		{name: "through what a later commit makes a link", base: "docs/x/in/f=1", build: func(w *world) {
			w.commit("c", "base", docs, "docs/x/l=->in/../src")
			w.commit("d", "c", docs, "docs/x/in/f=- docs/x/in=->..")
		}, want: []string{"error boundary-outside c docs/x/l", "error symlink-escape c docs/x/l"}},
		{name: "through what a later commit makes a link, when it is gone", base: "docs/x/in/f=1", build: func(w *world) {
			w.commit("c", "base", docs, "docs/x/l=->in/../src")
			w.commit("d", "c", docs, "docs/x/in/f=- docs/x/in=->.. docs/x/l=-")
		}},
		{name: "cut short by a NUL", build: one(docs, "docs/l=->../src\x00/../docs/a"), want: escapes},
		{name: "through a link that a NUL cuts short", base: "docs/in=->../src\x00/../docs/a", build: one(docs, "docs/l=->in/x"), want: escapes},
		{name: "into .git", build: one(docs, "docs/l=->.GIT/config"), want: escapes},
		{name: "through a link of the tree", base: "docs/up=->..", build: one(docs, "docs/l=->up/src/a"), want: escapes},
		{name: "through a link whose own parents are links", base: "docs/a/x=1 docs/b=->a docs/a/up=->../..", build: one(docs, "docs/l=->b/up"), want: escapes},
		{name: "up from behind a link", base: "docs/in=->a/b/c docs/a/b/c/x=1", build: one(docs, "docs/l=->in/../../../../src"), want: escapes},
		{name: "in a circle", base: "docs/m=->l", build: one(docs, "docs/l=->m"), want: escapes},
		{name: "a target too long to exist", build: one(docs, "docs/l=->"+strings.Repeat("a/", MaxLinkTarget/2)+"a"), want: escapes},
		{name: "as long as a target may be", build: one(docs, "docs/l=->"+strings.Repeat("a", MaxLinkTarget))},
		{name: "inside", build: one(docs, "docs/l=->a/b")},
		{name: "to the entry's own directory", build: one(docs, "docs/x/l=->..")},
		{name: "to another entry", build: one(docs, "docs/l=->../README.md")},
		{name: "through a link that stays inside", base: "docs/in=->a docs/a/x=1", build: one(docs, "docs/l=->in/x")},
		{name: "an exact entry allows any target", build: one(exact, "docs/link=->/etc")},
		{name: "N11 a directory turned into a link", base: "docs/a=1 src/a=1", build: one(docs, "docs/a=- docs=->src"), want: []string{"error boundary-outside c docs"}},
		{name: "a person's link inside the repository", build: one(human, "l=->src")},
		{name: "a person's link out of it", build: one(human, "l=->../x"), want: []string{"warning symlink-escape c l"}},
		{name: "a step's link outside its boundary that stays in the repository", build: one(docs, "src/l=->a"), want: []string{"error boundary-outside c src/l"}},
		{name: "an allowlist entry behind a link", base: "docs=->src src/a=1", build: one(docs, "README.md=1"), want: []string{"error policy-symlink -"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

func TestJudgeMerges(t *testing.T) {
	// fork: main goes on from fork to base, a line of the range from fork to c.
	fork := func(w *world, main string) {
		w.outside("fork", "src/a=1 docs/a=1 src/guard=1")
		w.outside("base", main, "fork")
		w.rng.MergeBases = []OID{id("fork")}
	}
	tests := []judgeTest{
		{name: "R2 R4 a clean merge of the target passes", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=2 .github/workflows/ci.yml=2")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", docs, "")
		}},
		{name: "A13 both parents made the same change", build: func(w *world) {
			fork(w, "src/a=2 docs/a=1 src/guard=1")
			w.commit("c", "fork", human, "src/a=2")
			w.merge("m", "c", "base", "fork", docs, "")
		}},
		{name: "R5 an agent's merge adds a file that no parent has", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=1")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", docs, "src/new=1")
		}, want: []string{"error boundary-outside m src/new"}},
		{name: "R5 an agent's merge drops a file that both have", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=1")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", signed, "src/guard=-")
		}, want: []string{"error boundary-outside m src/guard"}},
		{name: "a person's evil merge isn't judged", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=1")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", human, "src/new=1 .clio-coder/x=1")
		}},
		{name: "a fleet's merge is judged whoever made it", fleet: UnclaimedFail, build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=1")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", human, "src/new=1 CODEOWNERS=1")
		}, want: []string{"error boundary-policy-edit m CODEOWNERS", "error boundary-outside m src/new"}},
		{name: "an ours merge that loses the base's fix", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=2")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", human, "src/guard=1")
		}, want: []string{"warning merge-dropped m src/guard"}},
		{name: "the same by an agent, outside its boundary", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=2")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", docs, "src/guard=1")
		}, want: []string{"error merge-dropped m src/guard"}},
		{name: "the same by an agent, inside its boundary", build: func(w *world) {
			fork(w, "src/a=1 docs/a=2 src/guard=1")
			w.commit("c", "fork", docs, "docs/b=2")
			w.merge("m", "c", "base", "fork", docs, "docs/a=1")
		}, want: []string{"warning merge-dropped m docs/a"}},
		{name: "A1 an agent's merge that reverts the base's fix where merge bases disagree", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=3")
			w.commit("c", "fork", docs, "docs/a=2")
			w.merge("m", "c", "base", "fork", docs, "")
			w.delta().Decisions = []Decision{{Path: "src/guard", Conflict: true, Got: w.entry("1"), Parents: []Entry{w.entry("1"), w.entry("3")}, Bases: []Entry{{}}}}
		}, want: []string{"error boundary-outside m src/guard"}},
		{name: "A2 an ours merge hides behind a person's commit on the same file", build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", docs, "src/a=human")
		}, want: []string{"error boundary-outside m src/a"}},
		{name: "A2 by an agent that only signs", build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", signed, "src/a=human")
		}, want: []string{"warning boundary-outside m src/a"}},
		{name: "a claimed merge that makes something else of a person's change", build: func(w *world) {
			fork(w, "src/a=1 docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", docs, "src/a=evil")
		}, want: []string{"error boundary-outside m src/a"}},
		{name: "H1 content merged from both sides within the agent's own boundary", fleet: UnclaimedFail, build: func(w *world) {
			fork(w, "src/a=1 docs/a=base src/guard=1")
			w.commit("c", "fork", docs, "docs/a=agent")
			w.merge("m", "c", "base", "fork", human, "docs/a=both")
		}},
		{name: "H1 H7 content merged into a maintainer's fix-up", fleet: UnclaimedWarn, build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", human, "src/a=both")
		}, want: []string{"warning boundary-outside m src/a"}},
		{name: "the same where unclaimed commits fail", fleet: UnclaimedFail, build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", human, "src/a=both")
		}, want: []string{"error boundary-outside m src/a"}},
		{name: "a conflict between a person's line and the base, resolved by a claimed merge", build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.merge("m", "h", "base", "fork", docs, "src/a=both")
		}, want: []string{"warning boundary-outside m src/a"}},
		{name: "a conflict of two persons' lines, resolved by taking one side, is theirs", build: func(w *world) {
			w.commit("h", "base", human, "src/a=one")
			w.commit("k", "base", human, "src/a=two")
			w.merge("m", "h", "k", "base", docs, "src/a=one")
		}, want: []string{"warning boundary-outside m src/a"}},
		{name: "a commit that both lines reach isn't joined", build: func(w *world) {
			w.commit("p", "base", docs, "docs/a=1")
			w.commit("h", "p", human, "docs/a=one")
			w.commit("k", "p", human, "docs/a=two")
			w.merge("m", "h", "k", "p", src, "docs/a=both")
		}, want: []string{"warning boundary-outside m docs/a"}},
		{name: "a merge of two trusted lines that conflict, by an agent", build: func(w *world) {
			w.outside("one", "src/a=1", "base")
			w.outside("two", "src/a=2", "base")
			w.merge("m", "one", "two", "base", signed, "src/a=3")
		}, want: []string{"error boundary-outside m src/a"}},
		{name: "a joined commit whose claim is refused allows nothing", build: func(w *world) {
			fork(w, "src/a=1 docs/a=base src/guard=1")
			w.commit("c", "fork", "t\n\nFleet-Step: docs/wrte\n", "docs/a=agent")
			w.merge("m", "c", "base", "fork", signed, "docs/a=both")
		}, want: []string{"error boundary-outside m docs/a"}},
		{name: "a submodule that a merge decides needs an exact entry", base: "docs/sub=@1 .gitmodules=docs/sub", build: func(w *world) {
			w.commit("c", "base", docs, "docs/a=1")
			w.merge("m", "c", "base", "base", docs, "docs/sub=-")
		}, want: []string{"error boundary-outside m docs/sub"}},
		{name: "a claimed commit on the path makes the merge answer", build: func(w *world) {
			fork(w, "src/a=base docs/a=1 src/guard=1")
			w.commit("h", "fork", human, "src/a=human")
			w.commit("c", "h", docs, "src/a=agent")
			w.merge("m", "c", "base", "fork", docs, "src/a=both")
		}, want: []string{"error boundary-outside c src/a", "error boundary-outside m src/a"}},
		{name: "two steps' lines joined by a merge that claims one of them", build: func(w *world) {
			w.commit("c", "base", docs, "docs/a=agent x=-")
			w.commit("s", "base", src, "docs/a=other src/a=1")
			w.merge("m", "c", "s", "base", docs, "docs/a=both src/b=1")
		}, want: []string{"error boundary-outside s docs/a"}},
		{name: "A10 restored only inside a merge", base: "src/a=1", build: func(w *world) {
			w.commit("c", "base", docs, "src/a=bad")
			w.commit("d", "base", docs, "docs/a=1")
			w.merge("m", "c", "d", "base", human, "src/a=1")
		}, want: []string{"error boundary-outside c src/a", "warning merge-dropped m src/a"}},
		{name: "A8 the merge that joins an orphan history is judged for all of it", build: func(w *world) {
			w.commit("c", "base", docs, "docs/a=1")
			w.commit("o", "c", signed, "").Imported = true
			m := w.commit("m", "c", signed, ".github/workflows/w.yml=1 .clio-coder/fleets/x.md=1 lib/x=1")
			m.Parents = []OID{id("c"), id("o")}
		}, want: []string{"error boundary-policy-edit m .clio-coder/fleets/x.md", "error boundary-outside m .github/workflows/w.yml", "error boundary-outside m lib/x"}},
		{name: "H5 a person's vendor import", build: func(w *world) {
			w.commit("o", "base", docs, "").Imported = true
			m := w.commit("m", "base", human, "vendor/x=1")
			m.Parents = []OID{id("base"), id("o")}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// A merge of more lines than a word has bits is judged too, never more loosely.
func TestMergeOfManyLines(t *testing.T) {
	const lines = 70
	w := newWorld(t, "")
	w.commit("root", "base", src, "src/a=1")
	merge := Commit{ID: id("m"), Tree: id("tree of m"), Message: signed}
	for n := range lines {
		name := fmt.Sprint("line", n)
		w.commit(name, "root", docs, fmt.Sprintf("docs/a%d=1", n))
		merge.Parents = append(merge.Parents, id(name))
	}
	merge.Lines = merge.Parents
	w.trees[merge.Tree] = map[string]Entry{}
	w.add("m", merge, Delta{Decisions: []Decision{{Path: "docs/x", Got: w.entry("1")}, {Path: "src/x", Got: w.entry("1")}}})
	found, err := Judge(w.input(Rules{}, Actor{}, ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"error boundary-outside m src/x"}
	if diff := cmp.Diff(want, w.told(found)); diff != "" {
		t.Errorf("the root is no joined commit, the lines are (-want +got):\n%s", diff)
	}
}

// Lines that share a bit hide nobody's change: what a merge takes from one of
// them and drops from another is weighed as if only the base had changed it.
func TestMergeOfManyLinesThatDropsAChange(t *testing.T) {
	const lines = 70
	w := newWorld(t, "src/a=0")
	d := Decision{Path: "src/a", Conflict: true}
	merge := Commit{ID: id("m"), Tree: id("tree of m"), Message: docs}
	for n := range lines {
		name := fmt.Sprint("line", n)
		changes := fmt.Sprintf("docs/a%d=1", n)
		if n == lines-1 {
			changes = "src/a=human"
		}
		w.commit(name, "base", human, changes)
		merge.Parents = append(merge.Parents, id(name))
		d.Parents = append(d.Parents, w.entry("human"))
	}
	d.Parents[lines-2], d.Got = w.entry("other"), w.entry("human")
	merge.Lines = merge.Parents
	w.trees[merge.Tree] = map[string]Entry{}
	w.add("m", merge, Delta{Decisions: []Decision{d}})
	found, err := Judge(w.input(Rules{}, Actor{}, ""))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"error boundary-outside m src/a"}, w.told(found)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

func TestLongBoundariesAreCutInMessages(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "x=1")
	in := w.input(Rules{}, Actor{}, "")
	entries := make([]string, maxShownItems+3)
	for i := range entries {
		entries[i] = fmt.Sprintf("d%02d/", i)
	}
	in.Windows[0].Allow = entries
	found, err := Judge(in)
	if err != nil || len(found) != 1 || !strings.HasSuffix(found[0].Message, "d11/ and 3 more") {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestQueueSquashIsListedNotJudged(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "src/a=1")
	in := w.input(Rules{}, Actor{}, "")
	in.QueueSquash = map[OID]bool{id("c"): true}
	found, err := Judge(in)
	if err != nil || len(found) != 0 {
		t.Errorf("Judge gives %v, %v", found, err)
	}
}

func TestFindingsSayWhatMayBeWritten(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "src/a.go=1")
	w.commit("d", "c", "t\n\nFleet-Step: docs/write\nFleet-Step: src/write\n", "x=1")
	w.commit("e", "d", "t\n\nFleet-Step: docs/review\n", "x=2")
	w.commit("f", "e", docs, "docs/sub=@1")
	w.commit("g", "f", docs, ".github/workflows/ci.yml=1")
	found, err := Judge(w.input(Rules{}, Actor{}, ""))
	if err != nil {
		t.Fatal(err)
	}
	type said struct{ Step, Pos, Message string }
	var got []said
	for _, d := range found {
		if d.Code != "tree-gitlink-undeclared" {
			got = append(got, said{d.Step, d.Pos.String(), d.Message})
		}
	}
	want := []said{
		{"docs/write", ".clio-coder/fleets/docs.md:7", `step "docs/write" may not write "src/a.go"; its writes are README.md, docs/`},
		{"", ".clio-coder/fleets/docs.md:7", `none of the claimed steps "docs/write", "src/write" may write "x", and the change can't be attributed to one of them; their writes are README.md, docs/, src/`},
		{"docs/review", ".clio-coder/fleets/docs.md:7", `step "docs/review" may not write "x"; its writes are (nothing: readonly)`},
		{"docs/write", ".clio-coder/fleets/docs.md:7", `step "docs/write" may not write "docs/sub": a directory entry covers no submodule; its writes are README.md, docs/`},
		{"docs/write", ".clio-coder/fleets/docs.md:7", `step "docs/write" may not change ".github/workflows/ci.yml", which decides what fleets may do`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	for _, d := range found {
		if d.Hint == "" || d.Commit == "" {
			t.Errorf("finding without a way out or a commit: %+v", d)
		}
	}
}

func TestMissingObjectIsAnErrorBesideTheOtherFindings(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "src/lost=1")
	w.commit("d", "c", docs, "src/a=1")
	w.missing["src/lost"] = true
	found, err := Judge(w.input(Rules{}, Actor{}, ""))
	if err == nil {
		t.Error("no error, though an object was missing")
	}
	if !strings.Contains(strings.Join(w.told(found), "\n"), "boundary-outside d src/a") {
		t.Errorf("the other commit wasn't judged: %v", w.told(found))
	}
}

func TestJudgeRefusesUnequalInput(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "src/a=1")
	in := w.input(Rules{}, Actor{}, "")
	in.Windows = nil
	if _, err := Judge(in); err == nil {
		t.Error("no error for a commit without a window")
	}
}

func TestOneFindingForEachCommitPathAndCode(t *testing.T) {
	w := newWorld(t, "")
	w.commit("c", "base", docs, "docs/X=1")
	w.delta().Aliases = []Alias{{Path: "docs/X", Other: "docs/x"}, {Path: "docs/X", Other: "docs/x."}}
	found, err := Judge(w.input(Rules{}, Actor{}, ""))
	if err != nil || len(found) != 1 || found[0].Severity != diag.Error {
		t.Errorf("found %v, %v", w.told(found), err)
	}
}
