package strictyaml

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// read gives a text's value in JSON, or the first finding as line:column: message.
func read(text string) string {
	v, found := Parse("f", []byte(text), codeInvalidYAML)
	if len(found) > 0 {
		return strings.TrimPrefix(found[0].Pos.String(), "f:") + ": " + found[0].Message
	}
	return value.Stringify(v)
}

func TestTextsAreReadAsTheRuntimeReadsThem(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", `null`},
		{"comments alone", "# a\n\n  # b\n", `null`},
		{"one text", "a", `"a"`},
		{"a mapping", "a: 1\nb: x y\n", `{"a":1,"b":"x y"}`},
		{"keys in the runtime's order", "b: 1\n10: 2\n9: 3\n", `{"9":3,"10":2,"b":1}`},
		{"keys of other kinds", "1.0: a\ntrue: b\nnull: c\n'x': d\n", `{"1":"a","true":"b","":"c","x":"d"}`},
		{"a list below its key", "a:\n- 1\n- b\n", `{"a":[1,"b"]}`},
		{"a list indented", "a:\n  - 1\n  -   - 2\n      - 3\n", `{"a":[1,[2,3]]}`},
		{"mappings in a list", "- a: 1\n  b: 2\n-\n  c: 3\n- \n", `[{"a":1,"b":2},{"c":3},null]`},
		{"no values", "a:\nb: \nc: ~\n", `{"a":null,"b":null,"c":null}`},
		{"flow collections", "a: [1, b, {c: d, e}, [], {}]\n", `{"a":[1,"b",{"c":"d","e":null},[],{}]}`},
		{"flow over lines", "a: [1,\n  2, # c\n  3\n]\n", `{"a":[1,2,3]}`},
		{"a pair in a flow list", "[a: b, c]", `[{"a":"b"},"c"]`},
		{"a trailing comma", "[a, b, ]", `["a","b"]`},
		{"a key like JSON's", `{"a":1,"b":[true]}`, `{"a":1,"b":[true]}`},
		{"a colon in a flow text", "[:a, a:b]", `[":a","a:b"]`},
		{"a question mark in a flow key", "{a?: 1}", `{"a?":1}`},
		{"a colon on the next line of a flow", "{a\n  : b}", `{"a":"b"}`},
		{"a text over lines", "a: b\n  c\n\n  d\n", `{"a":"b c\nd"}`},
		{"a text with indicators inside", "a: b-c: d#e\n", `1:4: a mapping cannot start on the line of its key`},
		{"a hash and a colon without space", "a: b#c:d\n", `{"a":"b#c:d"}`},
		{"a comment behind a value", "a: b # c\n", `{"a":"b"}`},
		{"single quotes", "'it''s'", `"it's"`},
		{"single quotes over lines", "'a\n  b\n\n  c'", `"a b\nc"`},
		{"double quotes", `"\0\a\b\e\f\n\r\t\v\N\_\L\P\ \"\/\\\x41\u00e9\U0001F600"`, `"\u0000\u0007\b\u001b\f\n\r\t\u000b` + "\u0085\u00a0\u2028\u2029" + ` \"/\\Aé😀"`},
		{"surrogates in escapes", `"\ud83d\ude00\ud83d"`, `"😀\ud83d"`},
		{"double quotes over lines", "\"a  \n  b\\\n  c\n\n\n  d \\\n  e\"", `"a bc\n\nd e"`},
		{"a carriage return in quotes", "\"a\rb \r\n  c\"", `"a\rb c"`},
		{"a literal block", "a: |\n  b\n   c\n\n  d\n\n", `{"a":"b\n c\n\nd\n"}`},
		{"a literal block kept", "a: |+\n  b\n\nc: d", `{"a":"b\n\n","c":"d"}`},
		{"a literal block stripped", "a: |-\n  b\n\n", `{"a":"b"}`},
		{"a literal block without a last line end", "a: |\n  b", `{"a":"b\n"}`},
		{"a folded block", "a: >\n  b\n  c\n\n  d\n   e\n  f\n", `{"a":"b c\nd\n e\nf\n"}`},
		{"a block with its indentation given", "a: |1-\n   b\n  c\n", `{"a":"  b\n c"}`},
		{"an empty block", "a: |\nb: c", `{"a":"","b":"c"}`},
		{"an empty block kept", "a: |+\n\n\nb: c", `{"a":"\n\n","b":"c"}`},
		{"a block with carriage returns", "a: |\r\n  b\r\n  c\r\n", `{"a":"b\nc\n"}`},
		{"a block with a comment", "a: | # c\n  b\n", `{"a":"b\n"}`},
		{"tabs between tokens", "a:\tb\t# c\n-\tx\n", `2:1: a block list cannot start on the line of its key`},
		{"tabs behind indicators", "a:\n-\tb\n", `{"a":["b"]}`},
		{"a tab on an empty line", "a: 1\n\t\nb: 2\n", `{"a":1,"b":2}`},
		{"a tab before a comment", "a: 1\n\t# c\n", `{"a":1}`},
		{"a marked key", "? a\n: b\n? c\n", `{"a":"b","c":null}`},
		{"an empty key", ": a\n", `{"":"a"}`},
		{"an anchor and its aliases", "a: &x [1]\nb: *x\nc: {d: *x }\n", `{"a":[1],"b":[1],"c":{"d":[1]}}`},
		{"an anchor set again", "a: &x 1\nb: &x 2\nc: *x\n", `{"a":1,"b":2,"c":2}`},
		{"an anchor outside ASCII", "a: &é 1\nb: *é\n", `{"a":1,"b":1}`},
		{"a merge key that is none", "a: &x {b: 1}\nc:\n  <<: *x\n", `{"a":{"b":1},"c":{"<<":{"b":1}}}`},
		{"an alias as a key", "&x a: 1\n*x : 2\n", `{"a":2}`},
		{"tags of the core schema", "[!!str 1, !!int '1', !!float 1.5, !!bool true, !!null '', ! 1, !<tag:yaml.org,2002:int> 2]", `["1",1,1.5,true,null,"1",2]`},
		{"tags that don't fit", "[!!int a, !!float 1, !!bool yes, !!int, !x y, !<> 1]", `["a","1","yes","","y",1]`},
		{"tags of collections", "a: !!map {b: !!seq [c]}\nd: !local\n  e: f\n", `{"a":{"b":["c"]},"d":{"e":"f"}}`},
		{"a document's start", "--- # c\na: 1\n", `{"a":1}`},
		{"a flow collection on the marker's line", "--- {a: 1}", `{"a":1}`},
		{"a document's end", "a: 1\n... # c\n# d\n", `{"a":1}`},
		{"a byte order mark", "\ufeffa: 1\n", `{"a":1}`},
		{"other line ends are text", "a: b\u2028c\u0085d\re\n", `{"a":"b` + "\u2028" + `c` + "\u0085" + `d\re"}`},
		{"control characters are text", "a: \x01\x7f\x00\n", `{"a":"\u0001` + "\x7f" + `\u0000"}`},
		{"a lone carriage return behind a colon", "a:\rb\n", `{"a":"\rb"}`},
		{"a list as a key", "[a, 1]: b\n{c: d}: e\n", `{"[ a, 1 ]":"b","{ c: d }":"e"}`},
		{"a key of 1024 characters", strings.Repeat("é", 1024) + ": 1", `{"` + strings.Repeat("é", 1024) + `":1}`},
		{"doubled quotes up to the end", "a: '''", `{"a":"'"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(c.text)); diff != "" {
				t.Errorf("%q: %s", c.text, diff)
			}
		})
	}
}

func TestTextsAreRefusedAsTheRuntimeRefusesThem(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a comment that sticks to a list", "a: [1]#c", "1:7: a comment needs white space before its #"},
		{"a comment that sticks to a quote", "a: 'x'#c", "1:7: a comment needs white space before its #"},
		{"an under-indented list", "a: [\n1]", "1:4: this [ is not closed before line 2, which is indented too little to belong to it"},
		{"an under-indented mapping", "a: {\nb: 1}", "1:4: this { is not closed before line 2, which is indented too little to belong to it"},
		{"a comment that hides a bracket", "a: [b #c]", "1:4: this [ is never closed by a ]"},
		{"a list closed as a mapping", "a: [1}", "1:4: this [ is closed by a }, not by a ]"},
		{"a bracket too many", "a: ]", `1:4: "]" closes nothing`},
		{"two commas", "[1,,2]", "1:4: there is nothing between this comma and the one before"},
		{"a comma first", "{ , a}", "1:3: there is nothing before this comma"},
		{"a missing comma", "['a'\n  'b']", "2:3: a comma, or a colon and a space, is missing before this text"},
		{"a dash in a list", "[- a]", "1:2: a block list cannot stand in a flow collection"},
		{"a colon in a flow value", "{a: b: c}", `1:5: this value in a flow collection holds ": " and so would be a mapping`},
		{"an under-indented quote", "a: 'x\ny'", "1:4: this quote is never closed: a further line of the text must be indented more than its key"},
		{"an open quote", `a: "b`, "1:4: this quote is never closed: a further line of the text must be indented more than its key"},
		{"text behind a quote", "a: 'b' c", "1:8: nothing may follow a value on its line, but a text does"},
		{"an unknown escape", `"a\'"`, `1:3: \' in double quotes stands for nothing`},
		{"a short escape", `a: "é\u00"`, `1:6: \u in double quotes needs 4 hexadecimal digits of a character behind it`},
		{"an escape beyond Unicode", `"\U00110000"`, `1:2: \U in double quotes needs 8 hexadecimal digits of a character behind it`},
		{"a reserved first character", "a: @b", "1:4: a text without quotes cannot start with @ here"},
		{"a percent sign first", "a: %b", "1:4: a text without quotes cannot start with % here"},
		{"a colon and a space in a value", "a: b: c", "1:4: a mapping cannot start on the line of its key"},
		{"a key indented more than the one before", "a: 1\n b: 2", `2:4: this line is indented more than the key above it, so it goes on with that key's value, which cannot hold ": "`},
		{"a key indented less than the ones before", "a:\n   b: 1\n  c: 2", "3:3: all keys of a mapping must start at the same column"},
		{"a list on its key's line", "a: - b", "1:4: a block list cannot start on the line of its key"},
		{"an item at another column", "a:\n- b: 1\n c: 2", `3:2: this item of a list lacks its "- ", or stands at another column than the others`},
		{"a line without a colon", "a: 1\nb\n", "2:1: this line is no pair of a key and a value: a key is followed by a colon and a space"},
		{"a key over two lines", "\"a\n b\": 1", "1:1: a key must stand on one line, with its colon"},
		{"a key of 1025 characters", strings.Repeat("é", 1025) + ": 1", "1:1026: a key must be followed by its colon within 1024 characters"},
		{"a tab that indents", "a:\n\tb: 1", "2:1: a tab cannot indent"},
		{"a tab before a mapping", "a:\tb: c", "1:3: a tab cannot indent"},
		{"a tab that indents a text's line", "a: |\n  x\n\ty", "3:1: this line of a block text is indented less than the lines before it, or with a tab"},
		{"a block text at its key's column", "a: >\n\tx", "2:1: a block text must be indented more than the key that holds it"},
		{"a block text with a long empty line first", "a: |\n   \n  x", "3:1: an empty line of this block text is indented more than the first line with text"},
		{"an odd block header", "a: |0\n  x", `1:4: the header "|0" of a block text is not one of | and >, with + or - and a digit from 1 to 9 behind it`},
		{"an alias without an anchor", "a: *x", `1:4: the alias "x" has no anchor before it`},
		{"an alias whose colon sticks to it", "a: &x b\nc: *x:", "2:4: the colon belongs to the name of this alias"},
		{"an alias in its own anchor", "a: &x [*x ]", `1:8: the alias "x" stands within its own anchor; a policy cannot contain itself`},
		{"an alias with an anchor", "a: &x b\nc: &y *x", "2:7: an alias takes no anchor or tag of its own"},
		{"an alias without a name", "a: *", "1:4: an alias needs a name behind its *"},
		{"an anchor without a name", "a: & b", "1:4: an anchor needs a name behind its &"},
		{"two anchors", "a: &x &y b", "1:7: an anchor stands twice before one value"},
		{"an anchor that sticks to a list", "a: &x[b]", "1:4: an anchor must be followed by white space"},
		{"a tag that sticks to its value", `a: !!str"b"`, "1:4: a tag must be followed by white space"},
		{"a tag with an unknown handle", "a: !e!x 1", `1:4: the tag "!e!x" has a handle that is not declared`},
		{"a tag without a name", "a: !! 1", `1:4: the tag "!!" has no name behind its last !`},
		{"an open tag", "a: !<x", "1:4: a tag that starts with !< must end with >"},
		{"a tag that makes bytes", "a: !!binary aGk=", `1:4: the tag "!!binary" makes an object that a policy cannot hold`},
		{"a tag that makes a set", "!!set {a, b}", `1:1: the tag "!!set" makes an object that a policy cannot hold`},
		{"a second document", "a: 1\n---\nb: 2", "2:1: a second document starts here; there must be only one"},
		{"a second document behind an end", "a: 1\n...\nb: 2", "3:1: a second document starts here; there must be only one"},
		{"text behind a document's end", "a: 1\n... b", "2:5: a second document starts here; there must be only one"},
		{"a mapping on the marker's line", "--- a: 1", "1:5: a block mapping or list cannot start on the line of ---"},
		{"a directive without a document", "%YAML 1.2\n", "1:1: a directive, which starts with %, must be followed by a line ---"},
		{"a list as a key behind an empty line", "a: 1\n\n[b]: 2", "3:1: a list or mapping cannot be the key behind an empty line or a comment"},
		{"a long list as a key", "[a, " + strings.Repeat("b", 60) + "]: 1", "1:1: a list or mapping is a key here, which has no name that policy could use"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(c.text)); diff != "" {
				t.Errorf("%q: %s", c.text, diff)
			}
		})
	}
}

func TestEveryRefusalSaysTheWayOut(t *testing.T) {
	for _, text := range []string{"a: [1", "a: 1\na: 2", "a: b: c", "\ta: 1", "a: *x", "a: 1\n--- b", "%A\n---\n", "- a\nb: 1", "a: 'b", "a: !x!y z"} {
		_, found := Parse("f", []byte(text), codeInvalidYAML)
		if len(found) == 0 {
			t.Errorf("%q is accepted", text)
			continue
		}
		if found[0].Hint == "" {
			t.Errorf("%q: %q has no hint", text, found[0].Message)
		}
	}
}

func TestADuplicateKeyIsReportedWithBothLines(t *testing.T) {
	for _, text := range []string{"a: 1\nb: 2\na: 3", "1: x\nb: 2\n0x1: y", "null: x\nb:\n~: y", "'a': 1\nb: 2\n\"a\": 3", "a: 1\nb: 2\n? a\n"} {
		_, found := Parse("f", []byte(text), codeInvalidYAML)
		if len(found) != 1 || found[0].Pos.Line != 3 || len(found[0].Related) != 1 || found[0].Related[0].Pos.Line != 1 {
			t.Errorf("%q: %+v", text, found)
		}
	}
	for _, text := range []string{"1: a\n'1': b", "true: a\n'true': b", ".nan: a\n.NaN: b", "[a]: 1\n[a] : 2"} {
		if got := read(text); got[0] != '{' {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestAllDuplicateKeysAreReportedUpToABound(t *testing.T) {
	_, found := Parse("f", []byte("a: {b: 1, b: 2}\na: 3\nc: 4\nc: 5\n"), codeInvalidYAML)
	if len(found) != 3 {
		t.Errorf("%d findings, want 3", len(found))
	}
	_, found = Parse("f", []byte(strings.Repeat("a: 1\n", MaxDuplicates+10)), codeInvalidYAML)
	if len(found) != MaxDuplicates+1 {
		t.Errorf("%d findings, want %d", len(found), MaxDuplicates+1)
	}
}

func TestSyntaxFindingsCarryTheCallersCode(t *testing.T) {
	_, found := Parse("commands.yaml", []byte("a: [1"), "commands-invalid-yaml")
	if len(found) != 1 || found[0].Code != "commands-invalid-yaml" || found[0].Severity != diag.Error {
		t.Errorf("%+v", found)
	}
}

func TestEveryValueAndKeyHasItsPlace(t *testing.T) {
	text := "é: [1, {x: '名', y}]\n" + // line 1
		"list:\n" +
		"  - &a b\n" +
		"  -\n" +
		"  - |\n" + // line 5
		"    text\n" +
		"none:\n" +
		"deep: !!map\n" +
		"  key: \"v\"\n" +
		"again: *a\n" // line 10
	root, found := Parse("f", []byte(text), codeInvalidYAML)
	if found != nil {
		t.Fatal(found)
	}
	at := func(line, column int) diag.Pos { return diag.Pos{File: "f", Line: line, Column: column} }
	flow := root.Get("é")
	list := root.Get("list")
	for _, c := range []struct {
		what      string
		got, want diag.Pos
	}{
		{"root", root.Pos, at(1, 1)},
		{"key é", root.Members[0].KeyPos, at(1, 1)},
		{"flow list", flow.Pos, at(1, 4)},
		{"its end", flow.End, at(1, 20)},
		{"1", flow.Items[0].Pos, at(1, 5)},
		{"flow mapping", flow.Items[1].Pos, at(1, 8)},
		{"key x", flow.Items[1].Members[0].KeyPos, at(1, 9)},
		{"名", flow.Items[1].Get("x").Pos, at(1, 12)},
		{"its end", flow.Items[1].Get("x").End, at(1, 15)},
		{"value of y", flow.Items[1].Get("y").Pos, at(1, 18)},
		{"key list", root.Members[1].KeyPos, at(2, 1)},
		{"block list", list.Pos, at(3, 3)},
		{"b behind its anchor", list.Items[0].Pos, at(3, 8)},
		{"empty item", list.Items[1].Pos, at(4, 4)},
		{"block text", list.Items[2].Pos, at(5, 5)},
		{"its end", list.Items[2].End, at(7, 1)},
		{"no value", root.Get("none").Pos, at(7, 6)},
		{"block mapping behind its tag", root.Get("deep").Pos, at(9, 3)},
		{"v", root.Get("deep").Get("key").Pos, at(9, 8)},
		{"its end", root.Get("deep").End, at(9, 11)},
		{"key again", root.Members[4].KeyPos, at(10, 1)},
		{"what the alias shares", root.Get("again").Pos, at(3, 8)},
	} {
		if c.got != c.want {
			t.Errorf("%s at %v, want %v", c.what, c.got, c.want)
		}
	}
	if root.Get("again") != list.Items[0] {
		t.Error("an alias does not share the value of its anchor")
	}
}

func TestAliasesMayMultiplyUpToABound(t *testing.T) {
	uses := func(n int) string { return "a: &x b\nc: [" + strings.Repeat("*x , ", n) + "]" }
	if got := read(uses(MaxAliasProduct - 1)); got[0] != '{' {
		t.Errorf("99 uses: %s", got)
	}
	if got := read(uses(MaxAliasProduct)); !strings.Contains(got, "more than 100-fold") {
		t.Errorf("100 uses: %s", got)
	}
	nested := "a: &a b\nc: &c [*a , *a ]\nd: &d [*c , *c ]\ne: &e [*d , *d ]\n"
	if got := read(nested); got[0] != '{' {
		t.Errorf("3 times 3 times 3: %s", got)
	}
	if got := read(nested + "f: &f [*e , *e ]\ng: [*f , *f ]\n"); !strings.HasPrefix(got, "5:13: aliases multiply") && !strings.Contains(got, "100-fold") {
		t.Errorf("3 times 3 times 3 times 3 times 3: %s", got)
	}
}

func TestBoundsAreHeld(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	wide := func(uses int) string {
		return "a: &x [" + strings.Repeat("[],", 9_998) + "]\nb: [" + strings.Repeat("*x , ", uses) + "]"
	}
	deepAliases := func(levels int) string {
		return "- &x " + deep(MaxDepth-1) + "\n- " + strings.Repeat("[", levels) + "*x " + strings.Repeat("]", levels)
	}
	for _, c := range []struct{ name, text, want string }{
		{"as deep as may be", deep(MaxDepth), ""},
		{"too deep", deep(MaxDepth + 1), "nested more than 1000 deep"},
		{"too deep in blocks", strings.Repeat("- ", MaxDepth+1), "nested more than 1000 deep"},
		{"too deep by an alias", deepAliases(1), "nested more than 1000 deep"},
		{"as many values as may be", wide(MaxNodes/9_999 - 2), ""},
		{"too many values by aliases", wide(MaxNodes/9_999 + 1), "stands for more than 1000000 values"},
		{"as many bytes as may be", "a: " + strings.Repeat("b", MaxBytes-3), ""},
		{"too many bytes", "a: " + strings.Repeat("b", MaxBytes-2), "the file has 1048577 bytes; a policy file has at most 1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Parse("f", []byte(c.text), codeInvalidYAML)
			if c.want == "" {
				if found != nil {
					t.Error(found[0].Message)
				}
				return
			}
			if len(found) != 1 || found[0].Code != codeTooLarge || !strings.Contains(found[0].Message, c.want) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestADirectiveIsRefusedWhereTheRuntimeWouldTakeIt(t *testing.T) {
	for _, text := range []string{"%YAML 1.2\n---\na: 1\n", "%YAML 1.1 # c\n---\na: no\n", "%TAG ! x\n---\na: 1\n", "%X\n--- a", "a: 1\n...\n%YAML 1.1\n"} {
		_, found := Parse("f", []byte(text), codeInvalidYAML)
		if len(found) != 1 || found[0].Code != codeDirective {
			t.Errorf("%q: %+v", text, found)
		}
	}
	_, found := Parse("f", []byte("%YAML 1.2\n---\na: [1\n"), codeInvalidYAML)
	if len(found) != 1 || found[0].Code != codeInvalidYAML {
		t.Errorf("a fault behind a directive: %+v", found)
	}
}

func TestATextThatIsNotUTF8IsRefusedAtItsByte(t *testing.T) {
	_, found := Parse("f", []byte("a: é\nb: é\xff\n"), codeInvalidYAML)
	want := diag.Pos{File: "f", Line: 2, Column: 5}
	if len(found) != 1 || found[0].Code != codeNotUTF8 || found[0].Pos != want || !strings.Contains(found[0].Message, "0xFF") {
		t.Errorf("%+v", found)
	}
	if got := read("a: \ufffd"); got != `{"a":"`+"\ufffd"+`"}` {
		t.Errorf("the replacement character itself: %s", got)
	}
}

func TestTokensLieEndToEnd(t *testing.T) {
	for _, text := range []string{contract, "a: [1,\n b]\r\n'c\n d': |\n  x\n\n\t\n? !t &a *b\n--- \n...\n%A #b\n\ufeff", "- - \"é\n  \u2028\"\n#c", ": {:a, ?b, -c}\n"} {
		at := 0
		for _, token := range scan(text, nil) {
			if token.start != at || token.end < token.start {
				t.Errorf("%q: a token of kind %d from %d to %d, where %d is next", text, token.kind, token.start, token.end, at)
			}
			before := text[:token.start]
			line := 1 + strings.Count(before, "\n")
			column := 1 + len([]rune(before[strings.LastIndex(before, "\n")+1:]))
			if token.line != line || token.column != column {
				t.Errorf("%q: byte %d at %d:%d, want %d:%d", text, at, token.line, token.column, line, column)
			}
			at = token.end
		}
		if at != len(text) {
			t.Errorf("%q: the tokens end at %d", text, at)
		}
	}
}

func TestFindingsAreTheSameOnEveryRun(t *testing.T) {
	text := []byte("a: {b: 1, b: 2, c: 3, c: 4}\na: 3\n")
	_, first := Parse("f", text, codeInvalidYAML)
	for range 20 {
		_, again := Parse("f", text, codeInvalidYAML)
		if !slices.EqualFunc(first, again, func(a, b diag.Diagnostic) bool { return cmp.Equal(a, b) }) {
			t.Fatal(cmp.Diff(first, again))
		}
	}
}
