package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Bounds of a Markdown report. The JSON has all of it.
const (
	MaxMarkdown     = 900 << 10 // bytes; GitHub drops a job summary over 1 MiB
	maxPictures     = 10        // fleets
	maxPictureSteps = 100       // of one fleet; GitHub draws no more than 500 edges
	maxPictureEdges = 400
)

// Markdown writes the verdict as a page for a job's summary, of at most MaxMarkdown bytes.
func Markdown(w io.Writer, v verdict.Verdict) error { return MarkdownWithin(MaxMarkdown)(w, v) }

// MarkdownWithin gives the format of a page of at most limit bytes: findings
// get the most of them, then the pictures, then the table of commits. What is
// left out is counted, and cut at a line's end.
func MarkdownWithin(limit int) Format {
	return func(w io.Writer, v verdict.Verdict) error {
		p := &page{limit: limit}
		p.head(v)
		p.findings(layOut(v), limit*6/10)
		p.pictures(v, limit*8/10)
		p.commits(v, limit)
		_, err := io.WriteString(w, p.out.String())
		return err
	}
}

// moreBytes is kept free for the line that counts what is left out.
const moreBytes = 300

// page is Markdown that never grows over its limit.
type page struct {
	out   strings.Builder
	limit int
}

// add appends text if it leaves room for a "more" line below upTo bytes.
func (p *page) add(upTo int, text string) bool {
	if p.out.Len()+len(text)+moreBytes > min(upTo, p.limit) {
		return false
	}
	p.out.WriteString(text)
	return true
}

// more counts what was left out; there is always room for it.
func (p *page) more(text string) {
	if p.out.Len()+len(text) <= p.limit {
		p.out.WriteString(text)
	}
}

var wordMarks = map[verdict.Word]string{verdict.Passed: "✅", verdict.Failed: "❌", verdict.Undecided: "⚠️"}

func (p *page) head(v verdict.Verdict) {
	p.add(p.limit, fmt.Sprintf("## %s fleetgate %s: %s\n\n", wordMarks[v.Word], word(v), mdProse(Title(v))))
	switch {
	case v.Word == verdict.Undecided:
		p.add(p.limit, "**This is no pass:** what the judgement needs could not be read.\n\n"+mdWayOut(v))
	case v.Incomplete:
		p.add(p.limit, "Not everything could be read: what is listed here was found, and there may be more.\n\n"+mdWayOut(v))
	}
	p.about(v)
}

func mdWayOut(v verdict.Verdict) string {
	hint := wayOut(v)
	if hint == "" {
		return ""
	}
	return "Way out: " + mdProse(hint) + "\n\n"
}

// about says what was judged, by which policy, and what the verdict means.
func (p *page) about(v verdict.Verdict) {
	if v.Audit != nil && v.Word != verdict.Undecided {
		p.audited(v)
		return
	}
	if quiet(v) || v.Head == "" || v.Word == verdict.Undecided {
		return
	}
	text := fmt.Sprintf("%d of %s judged, from `%s` (base) to `%s` (head), by %s.\n",
		v.Counts.Judged, counted(v.Counts.Commits, "commit"), short(v.Base), short(v.Head), mdPolicy(v))
	if merges := cleanMerges(v); merges != "" {
		text += "Merges: " + mdProse(merges) + ".\n"
	}
	if v.Word == verdict.Passed {
		text += "What it means: " + mdProse(promise(v)) + ".\n"
	}
	p.add(p.limit, text+fmt.Sprintf("Digest of the verdict: `%s`\n\n", v.Digest))
}

func mdPolicy(v verdict.Verdict) string {
	if len(v.Fleets) == 0 {
		return "a policy without a valid fleet"
	}
	names := make([]string, len(v.Fleets))
	for i := range v.Fleets {
		names[i] = v.Fleets[i].Name
	}
	return counted(len(names), "fleet") + " at base: " + list(names, mdCode)
}

// findings writes them commit by commit, then file by file, below upTo bytes.
func (p *page) findings(l layout, upTo int) {
	left := len(l.files)
	for _, g := range l.commits {
		left += len(g.found)
	}
	if left+len(l.unsigned) == 0 {
		return
	}
	p.add(upTo, "### Findings\n\n")
	left -= p.commitGroups(l.commits, upTo)
	if len(l.commits) > 0 && len(l.files) > 0 {
		p.add(upTo, "**Policy and other files**\n\n") // else they would go on the last commit's list
	}
	left -= p.fileFindings(l.files, upTo)
	if len(l.unsigned) > 0 {
		p.add(p.limit, fmt.Sprintf("\n%s %s `commit-unattributed`\n", severityMarks[l.unsigned[0].Severity], mdProse(unsignedLine(l.unsigned))))
	}
	if left > 0 {
		p.more(fmt.Sprintf("\n… and %s; the JSON report lists them all.\n", counted(left, "more finding")))
	}
	if len(l.files)+len(l.unsigned) > 0 || left > 0 {
		p.more("\n")
	}
}

// commitGroups and fileFindings say how many findings there was room for.
func (p *page) commitGroups(groups []commitGroup, upTo int) (written int) {
	for _, g := range groups {
		n := p.commit(g, upTo)
		written += n
		if n < len(g.found) {
			break
		}
	}
	return written
}

func (p *page) fileFindings(found []diag.Diagnostic, upTo int) (written int) {
	for _, d := range found {
		if !p.add(upTo, mdFinding(d)) {
			break
		}
		written++
	}
	return written
}

// commit writes one commit's findings and says how many there was room for.
func (p *page) commit(g commitGroup, upTo int) int {
	head := fmt.Sprintf("**Commit `%s`** %s  \n%s\n\n", short(g.row.SHA), mdCode(shorten(g.row.Subject, 200)), g.claims(mdCode))
	if !p.add(upTo, head) {
		return 0
	}
	written := p.commitFindings(g, upTo)
	hints := g.hints()
	for _, hint := range hints[:min(len(hints), maxTextHints)] {
		p.add(upTo, "- Way out: "+mdProse(hint)+"\n")
	}
	p.add(upTo, "\n")
	return written
}

func (p *page) commitFindings(g commitGroup, upTo int) (written int) {
	words := g.changeWords()
	for _, group := range g.byPath() {
		for _, d := range group.found {
			if !p.add(upTo, mdCommitFinding(g, group, d, words)) {
				return written
			}
			written++
		}
	}
	return written
}

var severityMarks = map[diag.Severity]string{diag.Error: "❌", diag.Warning: "⚠️", diag.Note: "ℹ️"}

func mdCommitFinding(g commitGroup, group pathGroup, d diag.Diagnostic, words map[string]string) string {
	if !group.pathOnly {
		return mdFinding(d)
	}
	change := words[d.Path]
	if change != "" {
		change = " " + change
	}
	return fmt.Sprintf("- %s %s%s: %s `%s`\n", severityMarks[d.Severity], mdCode(d.Path), change, phrase(g, group, mdCode), d.Code)
}

func mdFinding(d diag.Diagnostic) string {
	place := ""
	if d.Pos.File != "" && d.Commit == "" {
		place = mdCode(d.Pos.String()) + " "
	}
	side := ""
	if d.Commit == "" {
		side = at(d.Rev)
	}
	text := fmt.Sprintf("- %s %s%s `%s`%s\n", severityMarks[d.Severity], place, mdProse(d.Message), d.Code, side)
	if d.Hint != "" && d.Commit == "" {
		text += "  - Way out: " + mdProse(d.Hint) + "\n"
	}
	return text
}

// pictures draws the fleets that the range worked for.
func (p *page) pictures(v verdict.Verdict, upTo int) {
	fleets := concerned(v)
	for i, f := range fleets {
		if i == maxPictures || !p.add(upTo, mdPicture(f)) {
			p.more(fmt.Sprintf("… and %s, not drawn.\n\n", counted(len(fleets)-i, "more fleet")))
			return
		}
	}
}

// concerned are the fleets that a commit claims, or that were violated; for
// lint, which has no commits, and for audit, all.
func concerned(v verdict.Verdict) []verdict.Fleet {
	claimed := map[string]bool{}
	for i := range v.Commits {
		for _, claim := range v.Commits[i].Claims {
			name, _, _ := strings.Cut(claim, "/")
			claimed[name] = true
		}
	}
	var fleets []verdict.Fleet
	for _, f := range v.Fleets {
		if v.Head == "" || v.Audit != nil || claimed[f.Name] || len(f.Violated) > 0 {
			fleets = append(fleets, f)
		}
	}
	return fleets
}

func mdPicture(f verdict.Fleet) string {
	head := "### Fleet " + mdCode(f.Name) + "\n\n"
	if len(f.Steps) > maxPictureSteps || len(f.Edges) > maxPictureEdges {
		return head + fmt.Sprintf("Not drawn: it has %s and %s.\n\n", counted(len(f.Steps), "position"), counted(len(f.Edges), "edge"))
	}
	var out strings.Builder
	_ = Mermaid(&out, verdict.Verdict{Fleets: []verdict.Fleet{f}}) // a Builder's writes never fail
	return head + "```mermaid\n" + out.String() + "```\n\n"
}

// commits is the table of the range, so that a green run shows what it read.
func (p *page) commits(v verdict.Verdict, upTo int) {
	if len(v.Commits) == 0 || quiet(v) {
		return
	}
	worst := worstByCommit(v)
	if !p.add(upTo, "### Commits\n\n| commit | claims | changes | result | subject |\n|---|---|--:|---|---|\n") {
		return
	}
	for i := range v.Commits {
		if !p.add(upTo, mdRow(v.Commits[i], worst)) {
			p.more(fmt.Sprintf("\n… and %s; the JSON report lists them all.\n", counted(len(v.Commits)-i, "more commit")))
			return
		}
	}
}

func mdRow(c verdict.Commit, worst map[string]diag.Severity) string {
	claims := c.Status
	if len(c.Claims) > 0 {
		claims = list(c.Claims, mdCell)
	}
	result := "ok"
	if c.Status == verdict.StatusImported || c.Status == verdict.StatusQueueSquash {
		result = "not judged"
	}
	if severity, found := worst[c.SHA]; found {
		result = severityMarks[severity] + " " + severity.String()
	}
	return fmt.Sprintf("| `%s` | %s | %d | %s | %s |\n", short(c.SHA), claims, len(c.Changes), result, mdCell(shorten(c.Subject, 120)))
}

func worstByCommit(v verdict.Verdict) map[string]diag.Severity {
	worst := map[string]diag.Severity{}
	for i := range v.Diagnostics {
		d := &v.Diagnostics[i]
		if known, ok := worst[d.Commit]; !ok || d.Severity < known {
			worst[d.Commit] = d.Severity
		}
	}
	return worst
}
