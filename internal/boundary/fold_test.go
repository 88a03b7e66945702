package boundary

import (
	"fmt"
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
		{"the fourth action's short name", "ACTION~4.YAM", "action.yaml"},
		{"the fourth short name of .gitmodules", "GITMOD~4", ".gitmodules"},
		{"a short name with dots and spaces behind it", "gitmod~1. .", ".gitmodules"},
		{"the checksum of .gitmodules", "GI7EBA~1", ".gitmodules"},
		{"the ninth with a checksum", "gi7eba~9", ".gitmodules"},
		{"the tenth with a checksum", "GI7EB~10", ".gitmodules"},
		{"the hundredth with a checksum", "GI7E~100", ".gitmodules"},
		{"the checksum of .gitattributes", "GI7D29~1", ".gitattributes"},
		{"the checksum of .clio-coder", "CL0A3F~1", ".clio-coder"},
		{"the checksum of .github", "gi41c4~2", ".github"},
		{"the checksum of CODEOWNERS", "CO453E~1", "codeowners"},
		{"the checksum of workflows", "WOA869~1", "workflows"},
		{"the checksum of playbooks", "PL844F~1", "playbooks"},
		{"the checksum of an action", "AC658D~1.YAM", "action.yaml"},
		{"the tenth action with a checksum", "AC658~10.YAM", "action.yaml"},
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
	names := []string{
		"a", "b", "a.b", ".a", "a b", "a:b", "a:c", "a~1", "git~2", "fleets~1",
		"gitmod~0", "gitmod~5", "gitmod~11", "gitmod~", "gitmo~1", "gitmod~1.x", "action~1", "action~1.yml", "action~5.yam",
		"gi7eba~0", "gi7eba~", "gi7eba~x", "gi7eba~10", "gi7eb~1", "gi7eb~01", "gi7ebb~1", "gi7~1000", "gi7eba~1.x", "gi7eba", "ac658d~1", "~1000000",
		"...", "..", ".", "\xff", "\xfe", "é\xff", "É\xff", "ı", "i", ":$data",
	}
	seen := map[string]string{}
	for _, name := range names {
		key := FoldName(name)
		if other, twice := seen[key]; twice {
			t.Errorf("%q and %q have one key, %q", other, name, key)
		}
		seen[key] = name
	}
}

// checksumOf is how Windows sums up a long name for a short one. By it the
// table holds what is written there; git's own two constants agree with it.
func checksumOf(name string) string {
	var sum uint16
	for i := range len(name) {
		sum = sum*0x25 + uint16(name[i])
	}
	mixed := int64(int32(uint32(sum) * 314159269))
	mixed = max(mixed, -mixed)
	mixed -= mixed * 1152921497 >> 60 * 1000000007
	digits := fmt.Sprintf("%04x", uint16(mixed))
	return digits[3:] + digits[2:3] + digits[1:2] + digits[:1]
}

func TestShortNamesAreThoseThatWindowsGives(t *testing.T) {
	starts := map[string]string{}
	for _, name := range []string{".clio-coder", ".github", ".gitmodules", ".gitattributes", "CODEOWNERS", "workflows", "playbooks", "action.yaml"} {
		base, extension, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, ".")), ".")
		if extension != "" {
			extension = "." + extension[:3]
		}
		long, short := strings.ToLower(name), base[:2]+checksumOf(name)
		if got := shortNames[base[:6]+extension]; got != long {
			t.Errorf("%s~1%s is short for %q, the table has %q", base[:6], extension, long, got)
		}
		if got := checksummed[short+extension]; got != long {
			t.Errorf("%s~1%s is short for %q, the table has %q", short, extension, long, got)
		}
		if other, twice := starts[short[:minShortStem]]; twice {
			t.Errorf("%q and %q begin alike", name, other)
		}
		starts[short[:minShortStem]] = name
	}
	if len(shortNames) != len(starts) || len(checksummed) != len(starts) {
		t.Errorf("%d and %d short names, want %d", len(shortNames), len(checksummed), len(starts))
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
		{Closed, ".clio-coder .clio-coder/fleetgate.yaml .clio-coder/x .clio-coder/agents .clio-coder/agents/a.md .clio-coder/fleets/x/y .clio-coder/playbooks/p.md .CLIO-CODER/Fleets/x.md CLIO-C~1/AGENTS/a.md CL0A3F~1/PL844F~1/p.md .clio-coder./fleets/x"},
		{Openable, ".github .github/workflows .github/workflows/ci.yml .github/workflows/a/b .github/actions/a/action.yml CODEOWNERS .github/CODEOWNERS docs/CODEOWNERS codeowners Docs/CodeOwners .GITHUB/WORKFLOWS/x GITHUB~1/WORKFL~1/x GI41C4~1/WOA869~1/x .github/CO453E~1 .github/workflow\u017f/x"},
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
	for path := range strings.FieldsSeq(".gitmodules a/.gitmodules a/.gitattributes a/b/CODEOWNERS action.yml a/action.yaml a/ACTION.YML a/GITMOD~1 a/GI7EBA~1 AC658D~1.YAM .github/workflows/x .github/actions/a/b") {
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
	for _, seed := range []string{"README.md", "e\u0301", "fle\u200cets. ", "a::$DATA", "GIT~1", "\xff", "\u2026", "\uff0f", "\u0345\u03b1", "\u1e9e", "GI7EB~10", "a:\u00ad:$data", ".\u200c."} {
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
