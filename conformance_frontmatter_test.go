package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

func init() {
	conformanceKinds = append(conformanceKinds, conformanceKind{
		kind:  "frontmatter",
		check: checkFrontMatter,
		want:  conformanceCounts{ran: 658, passed: 651, stricter: 7},
	})
}

// frontMatterCodes are the classes of refusal that have a code of ours by another name.
var frontMatterCodes = map[string]string{
	"frontmatter-missing-open":  "frontmatter/missing-open",
	"frontmatter-missing-close": "frontmatter/missing-close",
	"frontmatter-invalid-yaml":  "frontmatter/invalid-yaml",
	"frontmatter-not-object":    "frontmatter/not-object",
}

func checkFrontMatter(c conformanceCase) string {
	var input struct{ Raw string }
	var expect struct {
		OK   bool
		Code string
		Keys []string
		Body string
	}
	if err := json.Unmarshal(c.Input, &input); err != nil {
		return err.Error()
	}
	if err := json.Unmarshal(c.Expect, &expect); err != nil {
		return err.Error()
	}
	fm, found := strictyaml.ParseFrontMatter("x.md", []byte(input.Raw))
	switch {
	case len(found) > 0 && expect.OK:
		return "stricter: " + found[0].Message
	case len(found) > 0:
		if code := frontMatterCodes[string(found[0].Code)]; code != expect.Code {
			return fmt.Sprintf("refused as %s (%s), want %s", found[0].Code, found[0].Message, expect.Code)
		}
		return ""
	case !expect.OK:
		return fmt.Sprintf("laxer: read as %s, want %s", value.Stringify(fm.Root), expect.Code)
	}
	want, err := value.ParseJSON("expect", c.Expect)
	if err != nil {
		return err.Error()
	}
	if got, want := marked(fm.Root), want.Get("value"); !got.Equal(want) {
		return cmp.Diff(value.Stringify(want), value.Stringify(got))
	}
	var keys []string
	for _, m := range fm.Root.Members {
		keys = append(keys, m.Key)
	}
	if !slices.Equal(keys, expect.Keys) {
		return cmp.Diff(expect.Keys, keys)
	}
	return cmp.Diff(expect.Body, fm.Body)
}

// marked copies v with the numbers that JSON cannot carry written as the
// corpus writes them.
func marked(v *value.Value) *value.Value {
	mark := func(name string) *value.Value {
		return value.NewMap(value.Field("$js", value.NewString(name)))
	}
	switch {
	case v.Kind == value.List:
		items := make([]*value.Value, 0, len(v.Items))
		for _, item := range v.Items {
			items = append(items, marked(item))
		}
		return value.NewList(items...)
	case v.Kind == value.Map:
		members := slices.Clone(v.Members)
		for i, m := range members {
			members[i].Value = marked(m.Value)
		}
		return value.NewMap(members...)
	case v.Kind != value.Number:
		return v
	case math.IsNaN(v.Number):
		return mark("NaN")
	case math.IsInf(v.Number, 1):
		return mark("+Infinity")
	case math.IsInf(v.Number, -1):
		return mark("-Infinity")
	case v.Number == 0 && math.Signbit(v.Number):
		return mark("-0")
	}
	return v
}
