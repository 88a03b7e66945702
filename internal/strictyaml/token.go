package strictyaml

// kind is what a token is.
type kind uint8

const (
	kindEnd       kind = iota // the end of the text, once
	kindMark                  // a byte order mark before a document
	kindDirective             // a line that starts with %
	kindDocument              // empty: a document starts here, with or without a marker
	kindDocStart              // ---
	kindDocEnd                // ...
	kindSpace                 // spaces and tabs
	kindNewline               // \n or \r\n
	kindComment               // # to the end of the line
	kindDash                  // - before a list's item
	kindQuestion              // ? before a key
	kindColon                 // : before a value
	kindListOpen              // [
	kindListClose             // ]
	kindMapOpen               // {
	kindMapClose              // }
	kindComma                 // , in a flow collection
	kindAnchor                // &name
	kindTag                   // !name
	kindAlias                 // *name
	kindPlain                 // a plain scalar, which may be empty
	kindSingle                // a scalar in single quotes
	kindDouble                // a scalar in double quotes
	kindHeader                // | or > and what sticks to it
	kindBlockText             // a block scalar's lines
	kindUnclosed              // empty: a flow collection is broken off here
	kindStray                 // text that cannot stand where it does
)

// kindNames are the tokens as messages name them.
var kindNames = map[kind]string{
	kindEnd: "the end of the document", kindMark: "a byte order mark", kindDirective: "a directive",
	kindDocument: "a document", kindDocStart: "---", kindDocEnd: "...", kindSpace: "white space",
	kindNewline: "a line end", kindComment: "a comment", kindDash: `"-"`, kindQuestion: `"?"`, kindColon: `":"`,
	kindListOpen: `"["`, kindListClose: `"]"`, kindMapOpen: `"{"`, kindMapClose: `"}"`, kindComma: `","`,
	kindAnchor: "an anchor", kindTag: "a tag", kindAlias: "an alias", kindPlain: "a text", kindSingle: "a quoted text",
	kindDouble: "a quoted text", kindHeader: "a block text", kindBlockText: "a block text",
	kindUnclosed: "the end of a flow collection", kindStray: "this text",
}

// token is one piece of the text. The tokens of a document lie end to end:
// where one ends, the next begins.
type token struct {
	kind       kind
	indent     int // the indentation of what starts here: spaces, and "- ", "? " and ": " before it on its line
	start, end int // bytes of the text
	line       int // 1-based, in the text
	column     int // 1-based, in code points
}

func (t token) isBlank() bool {
	return t.kind == kindSpace || t.kind == kindNewline || t.kind == kindComment
}

// isFlow says whether t is a whole scalar or alias that may stand on one line with its neighbours.
func (t token) isFlow() bool {
	return t.kind >= kindAlias && t.kind <= kindDouble
}

func has(tokens []token, k kind) bool {
	for _, t := range tokens {
		if t.kind == k {
			return true
		}
	}
	return false
}

func allBlank(tokens []token) bool {
	for _, t := range tokens {
		if !t.isBlank() {
			return false
		}
	}
	return true
}
