package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

var scriptOf = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// pageWords are all elements and attributes that the page has. None of them
// loads anything; none is an event's.
var pageWords = []string{
	"a", "body", "caption", "circle", "code", "dd", "defs", "details", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "g", "h1", "h2", "h3", "head", "header",
	"html", "input", "label", "legend", "li", "main", "marker", "meta", "nav", "ol", "option", "p", "path", "rect", "script", "section", "select", "span", "strong", "style",
	"summary", "svg", "table", "tbody", "td", "text", "th", "thead", "time", "title", "tr", "ul",
	"@aria-describedby", "@aria-label", "@aria-labelledby", "@autocomplete", "@charset", "@checked", "@class", "@content", "@d", "@data-code", "@data-label", "@data-place", "@data-severity",
	"@datetime", "@for", "@height", "@hidden", "@href", "@http-equiv", "@id", "@lang", "@marker-end", "@marker-start", "@markerHeight", "@markerWidth", "@name", "@orient",
	"@refX", "@refY", "@role", "@rx", "@scope", "@tabindex", "@text-anchor", "@transform", "@type", "@value", "@viewBox", "@width", "@x", "@xmlns", "@y",
}

// checkMarkup reads a document as its reader does, and holds that every
// element and attribute is one of ours, and every reference one to the page itself.
func checkMarkup(t *testing.T, text string, strict bool) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(text))
	if !strict {
		in.Strict, in.AutoClose, in.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	}
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.Comment, xml.ProcInst:
			t.Errorf("a forged %T", token)
		case xml.StartElement:
			if !slices.Contains(pageWords, token.Name.Local) {
				t.Errorf("a forged element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				if !slices.Contains(pageWords, "@"+a.Name.Local) {
					t.Errorf("a forged attribute %s of %s", a.Name.Local, token.Name.Local)
				}
				if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("a link to %s", a.Value)
				}
			}
		}
	}
}

func TestPagesForgeNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		v.Audit = hostileAudit(v)
		page := rendered(t, HTML, sealed(t, v))
		checkLog(t, page, false)
		scripts := scriptOf.FindAllStringSubmatch(page, -1)
		if len(scripts) != 1 || scripts[0][1] != pageScript() {
			t.Errorf("%d scripts", len(scripts))
		}
		if n := strings.Count(page, "<style>"); n != 1 {
			t.Errorf("%d styles", n)
		}
		checkMarkup(t, scriptOf.ReplaceAllString(page, ""), false)
	})
}

// hostileAudit repeats what the findings say, wherever an audit can hold it.
func hostileAudit(v verdict.Verdict) *verdict.Audit {
	s := v.Summary
	return &verdict.Audit{SinceDate: s, Timeline: []verdict.Moment{{Subject: s, Author: s, Date: "2026-01-31", Changes: v.Diagnostics}}}
}

func TestPicturesForgeNothing(t *testing.T) {
	eachHostile(t, func(t *testing.T, v verdict.Verdict) {
		text := rendered(t, SVG, v)
		checkLog(t, text, false)
		checkMarkup(t, text, true)
	})
}

func TestThePageAdmitsNothingButItsOwnParts(t *testing.T) {
	page := rendered(t, HTML, sealed(t, auditedSample()))
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1]
	policy := fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", source(style), source(scriptOf.FindStringSubmatch(page)[1]))
	if !strings.Contains(page, `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`) {
		t.Errorf("the page's policy is not %s", policy)
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("the page names an address")
	}
}

func TestThePageIsWholeWithoutScript(t *testing.T) {
	v := sealed(t, auditedSample())
	page := scriptOf.ReplaceAllString(rendered(t, HTML, v), "")
	for _, d := range v.Diagnostics {
		if !strings.Contains(page, string(d.Code)) {
			t.Errorf("%s is not on the page", d.Code)
		}
	}
	for _, want := range []string{
		`<h1>fleetgate audit <span class="word failed">failed</span></h1>`,
		`<form id="controls" class="controls" hidden>`,
		`<time datetime="2026-02-03">2026-02-03</time>, Ada`,
		`<tr><th scope="row"><div class="in1"><span class="path">docs/api/</span></div></th><td><ul class="steps"><li>release/api</li></ul></td></tr>`,
		`<tr role="row"><th role="rowheader" scope="row">docs <span class="mark error">violated</span></th><td role="cell">agent coder</td><td role="cell" data-label="After">plan</td><td role="cell" data-label="May write">README.md, docs/, src/doc.go</td></tr>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestAPassIsAPageToo(t *testing.T) {
	for _, v := range []verdict.Verdict{{Word: verdict.Passed}, passed()} {
		page := rendered(t, HTML, sealed(t, v))
		checkMarkup(t, scriptOf.ReplaceAllString(page, ""), false)
		if !strings.Contains(page, "Nothing was found.") || strings.Contains(page, `id="controls"`) {
			t.Error("a page without findings has controls for them")
		}
	}
}

func TestBoundsOfThePage(t *testing.T) {
	v := sealed(t, violations(maxPageFindings+2, maxPageCommits+3))
	page := rendered(t, HTML, v)
	if n := strings.Count(page, "<li data-severity="); n != maxPageFindings {
		t.Errorf("%d findings, want %d", n, maxPageFindings)
	}
	for _, want := range []string{"… and 2 more; the JSON report lists every finding.", "… and 3 more; the JSON report lists every commit."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page doesn't say %q", want)
		}
	}
	many := verdict.Verdict{Word: verdict.Passed, Audit: &verdict.Audit{SinceDate: "2026-01-31"}}
	for i := range maxPageFleets + 1 {
		f := verdict.Fleet{Name: fmt.Sprint("f", i)}
		for j := range maxPageEntries/maxPageFleets + 1 {
			f.Steps = append(f.Steps, verdict.Step{ID: fmt.Sprint("s", j), Writes: []string{fmt.Sprintf("%d/%d", i, j)}})
		}
		many.Fleets = append(many.Fleets, f)
	}
	for range maxPageMoments + 1 {
		many.Audit.Timeline = append(many.Audit.Timeline, verdict.Moment{Changes: make([]diag.Diagnostic, maxPageChanges+1)})
	}
	page = rendered(t, HTML, sealed(t, many))
	for what, want := range map[string][2]int{
		"<figure>":         {strings.Count(page, "<figure>"), maxPageFleets},
		"entries":          {strings.Count(page, `<ul class="steps">`), maxPageEntries},
		"moments":          {strings.Count(page, "<time "), maxPageMoments},
		"changes, cut":     {strings.Count(page, "and 1 more <code>"), maxPageMoments},
		"more, each named": {strings.Count(page, "; the JSON report lists"), 3},
	} {
		if want[0] != want[1] {
			t.Errorf("%s: %d, want %d", what, want[0], want[1])
		}
	}
}

func TestStepsStandBelowWhatTheyWaitFor(t *testing.T) {
	f := wideFleet()
	p := newPicture(f, 0)
	l := layOutFleet(p)
	for _, e := range f.Edges {
		from, to := l.spots[p.number[e.From]], l.spots[p.number[e.To]]
		if !e.Loop && from.layer >= to.layer || e.Loop && from.layer != to.layer {
			t.Errorf("%s is in layer %d, %s in %d", e.From, from.layer, e.To, to.layer)
		}
	}
	for _, path := range l.paths {
		for i := range path[1:] {
			if l.spots[path[i+1]].layer != l.spots[path[i]].layer+1 {
				t.Errorf("an edge leaves a layer out: %v", path)
			}
		}
	}
	var orders []int
	for layer, row := range l.rows {
		for i, at := range row {
			if l.spots[at].layer != layer || l.spots[at].order != i {
				t.Errorf("spot %d is %+v in row %d, place %d", at, l.spots[at], layer, i)
			}
		}
		orders = append(orders, len(row))
	}
	if diff := cmp.Diff([]int{1, 2, 4, 6, 2, 1}, orders); diff != "" {
		t.Errorf("spots a layer (-want +got):\n%s", diff)
	}
}

func TestACircleIsDrawnToo(t *testing.T) {
	f := verdict.Fleet{Name: "x", Steps: []verdict.Step{{ID: "a"}, {ID: "b"}, {ID: "a"}}, Edges: []verdict.Edge{{From: "a", To: "b"}, {From: "b", To: "a"}, {From: "a", To: "a"}, {From: "a", To: "gone"}}}
	text := rendered(t, SVG, verdict.Verdict{Fleets: []verdict.Fleet{f}})
	if n := strings.Count(text, "<title>"); n != 3 {
		t.Errorf("%d steps are drawn, want 3", n)
	}
	checkMarkup(t, text, true)
}

func TestALargeFleetIsNotDrawn(t *testing.T) {
	f := verdict.Fleet{Name: "x", Steps: make([]verdict.Step, maxPictureSteps+1)}
	text := rendered(t, SVG, verdict.Verdict{Fleets: []verdict.Fleet{f}})
	if want := "x is not drawn: it has 101 positions and 0 edges."; !strings.Contains(text, want) {
		t.Errorf("doesn't say %q:\n%s", want, text)
	}
	f.Steps = f.Steps[1:]
	if text := rendered(t, SVG, verdict.Verdict{Fleets: []verdict.Fleet{f}}); strings.Contains(text, "not drawn") {
		t.Errorf("%d steps are not drawn", maxPictureSteps)
	}
}

func TestGoldenSVG(t *testing.T) {
	golden(t, "fleet.svg", rendered(t, SVG, verdict.Verdict{Fleets: []verdict.Fleet{wideFleet()}}))
}

func TestPagesAreTheSameEveryTime(t *testing.T) {
	var first bytes.Buffer
	for i := range 3 {
		var page bytes.Buffer
		if err := HTML(&page, sealed(t, auditedSample())); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = page
		}
		if !bytes.Equal(first.Bytes(), page.Bytes()) {
			t.Fatal("two pages of one verdict differ")
		}
	}
}
