package boundary

import "strings"

// A file system of Windows gives a long name a second, short one of 8.3
// letters by which the same file is opened. The first four files whose names
// begin alike are numbered: GITMOD~1 to GITMOD~4. After that come two letters
// and a checksum of the long name as it is written, and a number again:
// GI7EBA~1, and with more digits fewer letters, GI7EB~10.

// shortNames maps the first letters and the extension of a numbered short name
// to the long name behind it. Other long names can't be told from their short form.
var shortNames = map[string]string{
	"clio-c":     ".clio-coder",
	"github":     ".github",
	"gitmod":     ".gitmodules",
	"gitatt":     ".gitattributes",
	"codeow":     "codeowners",
	"workfl":     "workflows",
	"playbo":     "playbooks",
	"action.yam": "action.yaml",
}

// checksummed are the same for the names with a checksum. Those of .gitmodules
// and .gitattributes are the ones that git itself refuses.
var checksummed = map[string]string{
	"cl0a3f":     ".clio-coder",
	"gi41c4":     ".github",
	"gi7eba":     ".gitmodules",
	"gi7d29":     ".gitattributes",
	"co453e":     "codeowners",
	"woa869":     "workflows",
	"pl844f":     "playbooks",
	"ac658d.yam": "action.yaml",
}

const (
	shortLength = 8 // of a short name without its extension
	// minShortStem is how many letters of a name with a checksum are enough to
	// know it by. Fewer would stand before a number of four digits.
	minShortStem = 4
)

// longName gives the protected name behind a short one, folded already; any
// other name stays. .git has one alone: it is the first file of its folder.
func longName(name string) string {
	if name == "git~1" {
		return ".git"
	}
	stem, rest, found := strings.Cut(name, "~")
	if !found {
		return name
	}
	number, _, _ := strings.Cut(rest, ".")
	extension := rest[len(number):]
	if long, known := shortNames[stem+extension]; known && len(number) == 1 && '1' <= number[0] && number[0] <= '4' {
		return long
	}
	if len(stem) < minShortStem || len(stem)+len("~")+len(number) != shortLength || !isCount(number) {
		return name
	}
	for short, long := range checksummed {
		if strings.HasPrefix(short, stem) && strings.HasSuffix(short, extension) && strings.Contains(short, ".") == (extension != "") {
			return long
		}
	}
	return name
}

// isCount says whether text is a number that is written without a leading zero.
func isCount(text string) bool {
	return text != "" && text[0] != '0' && strings.Trim(text, "0123456789") == ""
}
