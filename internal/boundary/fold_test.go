package boundary

import (
	"strings"
	"testing"
)

func TestFoldNameMakesAliasesEqual(t *testing.T) {
	tests := []struct {
		rule, a, b string
	}{
		{"letter case", "README.md", "readme.MD"},
		{"letter case beyond ASCII", "ÉTÉ", "été"},
		{"full case folding", "straße", "STRASSE"},
		{"the Kelvin sign", "\u212aey", "key"},
		{"the long s", "\u017fet", "set"},
		{"composed and decomposed", "\u00e9", "e\u0301"},
		{"compatibility forms", "\ufb01le", "file"},
		{"full width", "\uff2d", "m"},
		{"the order of marks", "a\u0301\u0323", "a\u0323\u0301"},
		{"what HFS+ ignores", "fle\u200cets", "fleets"},
		{"the byte order mark", "\ufefffleets", "fleets"},
		{"direction marks", "fl\u202eeets", "fleets"},
		{"a soft hyphen", "fl\u00adeets", "fleets"},
		{"a variation selector", "\u2764\ufe0f", "\u2764"},
		{"trailing dots", "fleets...", "fleets"},
		{"trailing spaces", "fleets . ", "fleets"},
		{"a directory's stream", "fleets::$INDEX_ALLOCATION", "fleets"},
		{"a directory's named stream", "fleets:$I30:$INDEX_ALLOCATION", "fleets"},
		{"a file's stream", "a.md::$DATA", "a.md"},
		{"the short name of .git", "GIT~1", ".git"},
		{"the short name of .clio-coder", "CLIO-C~2", ".clio-coder"},
		{"the short name of an action", "ACTION~1.YAM", "action.yaml"},
		{"a spelling within a spelling", "FLE\u200cETS. ::$index_allocation", "fleets"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if a, b := FoldName(tt.a), FoldName(tt.b); a != b {
				t.Errorf("FoldName(%q) = %q, FoldName(%q) = %q", tt.a, a, tt.b, b)
			}
		})
	}
}

func TestFoldNameKeepsOtherNamesApart(t *testing.T) {
	names := []string{"a", "b", "a.b", ".a", "a b", "a:b", "a:c", "a~1", "git~2", "fleets~1", "...", "..", ".", "\xff", "\xfe", "é\xff", "É\xff", "ı", "i", ":$data"}
	seen := map[string]string{}
	for _, name := range names {
		key := FoldName(name)
		if other, twice := seen[key]; twice {
			t.Errorf("%q and %q have one key, %q", other, name, key)
		}
		seen[key] = name
	}
}

func TestFoldPathFoldsEachSegment(t *testing.T) {
	if got := FoldPath("Docs./E\u0301/\uff0f"); got != "docs/\u00e9//" {
		t.Errorf("FoldPath gives %q", got)
	}
}

func TestIsDotGit(t *testing.T) {
	for _, name := range []string{".git", ".GIT", ".Git", "git~1", "GIT~1", ".git.", ".git ", ".git . .", ".g\u200cit", ".git\u200d", "\ufeff.git", ".git::$INDEX_ALLOCATION", ".git:x", `.git\config`, `.GIT.\x`, "GIT~1:x"} {
		if !IsDotGit(name) {
			t.Errorf("%q isn't recognised as .git", name)
		}
	}
	for _, name := range []string{"git", ".gitignore", ".github", "git~2", ".git-x", "x.git", "", ".", ":.git", `\.git`, "a:.git"} {
		if IsDotGit(name) {
			t.Errorf("%q is taken for .git", name)
		}
	}
}

func TestProtectedPaths(t *testing.T) {
	tests := []struct {
		want  Protection
		paths string
	}{
		{Closed, ".clio-coder .clio-coder/fleetgate.yaml .clio-coder/x .clio-coder/agents .clio-coder/agents/a.md .clio-coder/fleets/x/y .clio-coder/playbooks/p.md .CLIO-CODER/Fleets/x.md CLIO-C~1/AGENTS/a.md .clio-coder./fleets/x"},
		{Openable, ".github .github/workflows .github/workflows/ci.yml .github/workflows/a/b .github/actions/a/action.yml CODEOWNERS .github/CODEOWNERS docs/CODEOWNERS codeowners Docs/CodeOwners .GITHUB/WORKFLOWS/x GITHUB~1/WORKFL~1/x .github/workflow\u017f/x"},
		{Unprotected, "x .clio-coder/skills/s.md .clio-coderx/a .github/x .github/ISSUE_TEMPLATE/a docs/x docs/CODEOWNERS/x CODEOWNERS/x src/CODEOWNERS workflows/x x/.clio-coder/fleets/a x/.github/workflows/a"},
	}
	for _, tt := range tests {
		for path := range strings.FieldsSeq(tt.paths) {
			if got := ProtectionOf(path); got != tt.want {
				t.Errorf("ProtectionOf(%q) = %d, want %d", path, got, tt.want)
			}
			if ProtectedPath(path) != (tt.want != Unprotected) || IsPolicyPath(path) != (tt.want == Closed) {
				t.Errorf("ProtectedPath and IsPolicyPath disagree with ProtectionOf about %q", path)
			}
		}
	}
}

func TestNeedsExactEntry(t *testing.T) {
	for path := range strings.FieldsSeq(".gitmodules a/.gitmodules a/.gitattributes a/b/CODEOWNERS action.yml a/action.yaml a/ACTION.YML a/GITMOD~1 .github/workflows/x .github/actions/a/b") {
		if !NeedsExactEntry(path) {
			t.Errorf("a directory entry covers %q", path)
		}
	}
	for path := range strings.FieldsSeq("a .gitignore a/gitmodules a/action.yml/x a/actions.yml .github/x") {
		if NeedsExactEntry(path) {
			t.Errorf("a directory entry doesn't cover %q", path)
		}
	}
}

func FuzzFoldName(f *testing.F) {
	for _, seed := range []string{"README.md", "e\u0301", "fle\u200cets. ", "a::$DATA", "GIT~1", "\xff", "\u2026", "\uff0f", "\u0345\u03b1", "\u1e9e", "a:\u00ad:$data", ".\u200c."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		key := FoldName(name)
		if again := FoldName(key); again != key {
			t.Errorf("FoldName(%q) = %q, which folds to %q", name, key, again)
		}
		if name != "" && !strings.ContainsAny(name, "\u200c\u200d\ufeff\u00ad") && isASCII(name) {
			if upper := FoldName(strings.ToUpper(name)); upper != key {
				t.Errorf("FoldName(%q) = %q, in upper case %q", name, key, upper)
			}
		}
	})
}
