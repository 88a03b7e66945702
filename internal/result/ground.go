package result

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Span is a run of lines, both ends included.
type Span struct{ First, Last int }

// Reads are the lines that a run read, by path; a line that a search showed
// counts as read (spec 7). Paths may be written as the run wrote them.
type Reads map[string][]Span

// grounder holds the citations of one report against the files and what the
// run read. Each path is asked for once.
type grounder struct {
	run   *Run
	reads map[string][]Span // by resolved path; nil where it isn't known
	known map[string]cited
}

// cited is what grounding needs of what stands at a path.
type cited struct {
	directory bool
	readable  bool
	lines     int
	digest    string
}

func newGrounder(run *Run) *grounder {
	g := &grounder{run: run, known: map[string]cited{}}
	if run.Reads == nil {
		return g
	}
	g.reads = map[string][]Span{}
	for _, name := range sortedKeys(run.Reads) {
		resolved := workspace(run.Dir).resolve(name)
		g.reads[resolved] = append(g.reads[resolved], run.Reads[name]...)
	}
	return g
}

// ground gives the evidence of a citation, or why there is none.
func (g *grounder) ground(f Finding) (evidence, *fault) {
	var p probe
	dir := workspace(g.run.Dir)
	resolved := dir.resolve(f.Path)
	name, inside := dir.relative(resolved)
	if !inside {
		p.fail(CitationEscapes, "", "%s:%d: a cited path must stay inside the workspace", f.Path, f.Line)
		return evidence{}, p.fault
	}
	file := g.look(resolved, name)
	if file.directory {
		return evidence{path: f.Path, line: f.Line, digest: file.digest}, nil
	}
	spans, read := g.reads[resolved], g.reads == nil
	for _, s := range spans {
		read = read || s.First <= f.Line && f.Line <= s.Last
	}
	switch {
	case !file.readable:
		p.fail(CitationUnreadable, "", "%s:%d: a cited path must be a file that can be read", f.Path, f.Line)
	case f.Line > file.lines:
		p.fail(CitationPastEnd, "", "%s:%d: a cited line must be in the file, which has %d lines", f.Path, f.Line, file.lines)
	case !read && len(spans) == 0:
		p.fail(CitationNeverRead, "", "%s:%d: a cited line must be one that the run read; it never read that file", f.Path, f.Line)
	case !read:
		p.fail(CitationOutsideReads, "", "%s:%d: a cited line must be one that the run read; of that file it read %s", f.Path, f.Line, spanList(spans))
	}
	return evidence{path: f.Path, line: f.Line, digest: file.digest}, p.fault
}

// look asks what stands at a path; name is the path inside the workspace.
func (g *grounder) look(resolved, name string) cited {
	at, known := g.known[resolved]
	if !known {
		at = g.ask(resolved, name)
		g.known[resolved] = at
	}
	return at
}

// ask puts the questions to the file system: a directory has no text, so its
// evidence is its place.
func (g *grounder) ask(resolved, name string) cited {
	if directories, can := g.run.Files.(Directories); can && directories.IsDirectory(resolved) {
		return cited{directory: true, digest: textDigest("directory:" + name)}
	}
	if g.run.Files == nil {
		return cited{}
	}
	text, readable := g.run.Files.ReadFile(resolved)
	if !readable {
		return cited{}
	}
	return cited{readable: true, lines: countLines(text), digest: textDigest(text)}
}

// countLines counts the lines of a text, which \r\n, \r and \n end alike: an
// empty text has one, and "x\n" two.
func countLines(text string) int {
	return 1 + strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}

// maxListedSpans is how many spans a reason lists.
const maxListedSpans = 16

func spanList(spans []Span) string {
	var list []string
	for i, s := range spans {
		if i == maxListedSpans {
			list = append(list, "and more")
			break
		}
		list = append(list, fmt.Sprintf("%d-%d", s.First, s.Last))
	}
	return strings.Join(list, ", ")
}

// ParseReads reads what a run read, written as {"path": [[first, last], …], …}.
func ParseReads(v *value.Value) (Reads, error) {
	const form = `reads must be an object {"path": [[first, last], …], …} with line numbers`
	if v.Kind != value.Map {
		return nil, errors.New(form)
	}
	reads := Reads{}
	for _, m := range v.Members {
		if m.Value.Kind != value.List {
			return nil, fmt.Errorf("%s; %q has none", form, diag.Clip(m.Key))
		}
		reads[m.Key] = []Span{}
		for _, item := range m.Value.Items {
			if item.Kind != value.List || len(item.Items) != 2 || !isBound(item.Items[0]) || !isBound(item.Items[1]) {
				return nil, fmt.Errorf("%s; %q has another entry", form, diag.Clip(m.Key))
			}
			reads[m.Key] = append(reads[m.Key], Span{First: int(item.Items[0].Number), Last: int(item.Items[1].Number)})
		}
	}
	return reads, nil
}

// isBound says whether v can be an end of a span; a run that read nothing of a file has 0.
func isBound(v *value.Value) bool {
	return v.Kind == value.Number && value.IsSafeInteger(v.Number) && v.Number >= 0
}
