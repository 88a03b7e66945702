package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// htmlPage is what the page's template shows. Every text in it was made
// visible by Name or prose; the template escapes it for where it stands.
type htmlPage struct {
	Command, Word, Shown, Title, NoPass, WayOut string
	Facts                                       []htmlFact
	Sections                                    []htmlSection
	Severities                                  []htmlCount
	Count                                       string
	Findings                                    []htmlFinding
	FindingsLeft                                string
	Fleets                                      []htmlFleet
	FleetsLeft                                  string
	Map                                         []htmlEntry
	MapLeft                                     string
	Audit                                       bool
	Timeline                                    []htmlMoment
	TimelineLeft, NoTimeline                    string
	Commits                                     []htmlCommit
	CommitsLeft                                 string
	Tool, Digest                                string
}

type htmlFact struct {
	Name, Text string
	Code       bool
}

type htmlSection struct{ ID, Name string }

type htmlCount struct {
	Name  string
	Count int
}

type htmlFinding struct {
	Severity, Code, Message, Hint, Place, Commit string
	Related                                      []htmlPlace
}

type htmlPlace struct{ Message, Place string }

type htmlFleet struct {
	ID, Name, Path string
	SVG            template.HTML // of draw, which escapes every text in it
	Width, Height  int
	TooLarge       string
	Steps          []htmlStep
}

type htmlStep struct {
	ID, Who, After, Writes string
	Violated               bool
}

type htmlEntry struct {
	Entry string
	Depth int // how many other entries it lies below, at most maxDepth
	Steps []string
}

type htmlMoment struct {
	Date, Author, Commit, Subject string
	Changes                       []htmlFinding
}

type htmlCommit struct {
	SHA, Subject, Claims, Result, Class string
	Changes                             int
}

func newPage(v verdict.Verdict) htmlPage {
	p := htmlPage{
		Command: Name(v.Command), Word: string(v.Word), Shown: word(v), Title: prose(Title(v)),
		Audit: v.Audit != nil, Tool: Name(v.Tool), Digest: v.Digest,
	}
	if v.Word == verdict.Undecided || v.Incomplete {
		p.NoPass, p.WayOut = "Not everything could be read: what is listed here was found, and there may be more.", prose(wayOut(v))
	}
	if v.Word == verdict.Undecided {
		p.NoPass = "This is no pass: what the judgement needs could not be read."
	}
	p.facts(v)
	p.findings(v)
	p.fleets(v)
	p.entries(v)
	p.timeline(v)
	p.commits(v)
	p.sections()
	return p
}

func (p *htmlPage) facts(v verdict.Verdict) {
	fact := func(name, text string, code bool) {
		if text != "" {
			p.Facts = append(p.Facts, htmlFact{name, text, code})
		}
	}
	named := func(s string) string {
		if s == "" {
			return ""
		}
		return Name(s)
	}
	fact("Repository", named(v.Repository), false)
	if v.Audit == nil {
		fact("Base", v.Base, true)
	}
	fact("Head", v.Head, true)
	if v.Audit != nil {
		fact("Looked back", sinceWhat(v, Name), false)
	}
	fact("Policy", v.Policy, true)
	if v.Audit == nil && v.Head != "" {
		fact("Assurance", assurance(v), false)
	}
}

func (p *htmlPage) findings(v verdict.Verdict) {
	shown := v.Diagnostics[:min(len(v.Diagnostics), maxPageFindings)]
	for i := range shown {
		p.Findings = append(p.Findings, newFinding(&shown[i]))
	}
	p.FindingsLeft = notListed(len(v.Diagnostics)-len(shown), "finding")
	p.Count = counted(len(v.Diagnostics), "finding")
	for _, s := range []htmlCount{{"error", v.Counts.Errors}, {"warning", v.Counts.Warnings}, {"note", v.Counts.Notes}} {
		if s.Count > 0 {
			p.Severities = append(p.Severities, s)
		}
	}
}

func newFinding(d *diag.Diagnostic) htmlFinding {
	f := htmlFinding{Severity: d.Severity.String(), Code: string(d.Code), Message: prose(d.Message), Place: place(d.Pos), Commit: short(d.Commit)}
	if d.Hint != "" {
		f.Hint = prose(d.Hint)
	}
	if d.Path != "" {
		f.Place = Name(d.Path)
	}
	for _, r := range d.Related {
		f.Related = append(f.Related, htmlPlace{prose(r.Message), place(r.Pos)})
	}
	return f
}

func (p *htmlPage) fleets(v verdict.Verdict) {
	for i, f := range v.Fleets {
		if i == maxPageFleets {
			p.FleetsLeft = notListed(len(v.Fleets)-i, "fleet")
			return
		}
		shown := htmlFleet{ID: fmt.Sprintf("fleet%d", i), Name: Name(f.Name), Path: Name(f.Path), TooLarge: tooLarge(f)}
		if shown.TooLarge == "" {
			d := draw(f, i)
			shown.SVG, shown.Width, shown.Height = template.HTML(d.body), d.width, d.height
		}
		after := map[string][]string{}
		for _, e := range f.Edges {
			if !e.Loop {
				after[e.To] = append(after[e.To], e.From)
			}
		}
		for _, s := range f.Steps[:min(len(f.Steps), maxPageEntries)] {
			shown.Steps = append(shown.Steps, htmlStep{
				ID: Name(s.ID), Who: who(s), After: cmp.Or(list(after[s.ID], item), "–"),
				Writes: cmp.Or(list(s.Writes, item), "nothing"), Violated: slices.Contains(f.Violated, s.ID),
			})
		}
		p.Fleets = append(p.Fleets, shown)
	}
}

// tooLarge says why a fleet isn't drawn.
func tooLarge(f verdict.Fleet) string {
	if len(f.Steps) <= maxPictureSteps && len(f.Edges) <= maxPictureEdges {
		return ""
	}
	return fmt.Sprintf("it has %s and %s", counted(len(f.Steps), "position"), counted(len(f.Edges), "edge"))
}

// entries is the map of which step may write where: every entry of every
// boundary, a directory before what lies in it.
func (p *htmlPage) entries(v verdict.Verdict) {
	steps := map[string][]string{}
	for _, f := range v.Fleets {
		for _, s := range f.Steps {
			for _, entry := range s.Writes {
				steps[entry] = append(steps[entry], Name(f.Name+"/"+s.ID))
			}
		}
	}
	var all, above []string
	for entry := range steps {
		all = append(all, entry)
	}
	slices.Sort(all)
	for i, entry := range all {
		if i == maxPageEntries {
			p.MapLeft = notListed(len(all)-i, "entry")
			return
		}
		for len(above) > 0 && !strings.HasPrefix(entry, above[len(above)-1]) {
			above = above[:len(above)-1]
		}
		p.Map = append(p.Map, htmlEntry{Name(entry), min(len(above), maxDepth), someSteps(steps[entry])})
		if strings.HasSuffix(entry, "/") {
			above = append(above, entry)
		}
	}
}

// maxDepth is how deep the map is indented.
const maxDepth = 3

func someSteps(steps []string) []string {
	if len(steps) <= maxListed {
		return steps
	}
	return append(slices.Clone(steps[:maxListed]), fmt.Sprintf("and %d more", len(steps)-maxListed))
}

func (p *htmlPage) timeline(v verdict.Verdict) {
	if v.Audit == nil {
		return
	}
	p.NoTimeline = "Nothing changed " + sinceWhat(v, Name) + "."
	if v.Audit.Since == "" && v.Audit.SinceDate == "" {
		p.NoTimeline = "The audit was not asked to look back: --since takes a revision or a date."
	}
	shown := v.Audit.Timeline[:min(len(v.Audit.Timeline), maxPageMoments)]
	for _, m := range shown {
		moment := htmlMoment{Date: m.Date, Author: Name(m.Author), Commit: short(m.Commit), Subject: Name(m.Subject)}
		for i := range m.Changes[:min(len(m.Changes), maxPageChanges)] {
			moment.Changes = append(moment.Changes, newFinding(&m.Changes[i]))
		}
		if more := len(m.Changes) - maxPageChanges; more > 0 {
			moment.Changes = append(moment.Changes, htmlFinding{Message: fmt.Sprintf("and %d more", more)})
		}
		p.Timeline = append(p.Timeline, moment)
	}
	p.TimelineLeft = notListed(len(v.Audit.Timeline)-len(shown), "change")
}

func (p *htmlPage) commits(v verdict.Verdict) {
	worst := worstByCommit(v)
	shown := v.Commits[:min(len(v.Commits), maxPageCommits)]
	for _, c := range shown {
		row := htmlCommit{SHA: short(c.SHA), Subject: Name(c.Subject), Claims: cmp.Or(list(c.Claims, item), Name(c.Status)), Changes: len(c.Changes), Result: "ok"}
		if c.Status == verdict.StatusImported || c.Status == verdict.StatusQueueSquash {
			row.Result = "not judged"
		}
		if severity, found := worst[c.SHA]; found {
			row.Result, row.Class = severity.String(), severity.String()
		}
		p.Commits = append(p.Commits, row)
	}
	p.CommitsLeft = notListed(len(v.Commits)-len(shown), "commit")
}

func notListed(n int, noun string) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return "… and 1 more; the JSON report lists all."
	}
	return fmt.Sprintf("… and %d more; the JSON report lists every %s.", n, noun)
}

func (p *htmlPage) sections() {
	p.Sections = append(p.Sections, htmlSection{"findings-title", "Findings"})
	for _, s := range []struct {
		there bool
		htmlSection
	}{
		{len(p.Fleets) > 0, htmlSection{"fleets", "Fleets"}},
		{len(p.Map) > 0, htmlSection{"map", "Who may write where"}},
		{p.Audit, htmlSection{"timeline", "How the policy changed"}},
		{len(p.Commits) > 0, htmlSection{"commits", "Commits"}},
	} {
		if s.there {
			p.Sections = append(p.Sections, s.htmlSection)
		}
	}
}
