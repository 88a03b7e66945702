package boundary

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// waysOut ends every finding about a path outside its boundary.
const waysOut = "move the change to a step that may write it, widen the step's writes in a pull request of its own on the base branch, or drop the change"

// finding makes a finding about a path of the commit, placed at the writes of
// the step that it claims, if it is one.
func (w *work) finding(code diag.Code, path, message string) diag.Diagnostic {
	d := diag.New(code, diag.Pos{}, "", message)
	d.Commit, d.Path = w.commit.ID.String(), path
	if len(w.positions) == 0 {
		return d
	}
	d.Pos, d.Rev = w.positions[0].Pos, diag.Base
	if len(w.positions) == 1 {
		d.Step = w.positions[0].Name
		return d
	}
	for _, p := range w.positions[:min(len(w.positions), maxShownItems)] {
		d = d.WithRelated(p.Pos, "what "+Quote(p.Name)+" may write")
	}
	return d
}

// outsideFinding: a path that the boundary doesn't cover; why names the
// exception, if a directory entry would cover it otherwise.
func (w *work) outsideFinding(path, why string, d *Decision, severity diag.Severity) diag.Diagnostic {
	f := w.finding("boundary-outside", path, w.mayNot("write", path, why, d)).WithHint(waysOut)
	if why != "" {
		f.Hint = "add an entry that names exactly this path in a pull request of its own on the base branch, or drop the change"
	}
	f.Severity = severity
	return f
}

// mayNot says that the commit's steps may not do something to a path, and what
// they may write.
func (w *work) mayNot(do, path, why string, d *Decision) string {
	var text strings.Builder
	names := quoted(w.positions)
	switch {
	case d != nil && len(names) == 0:
		fmt.Fprintf(&text, "the merge decides %s, and no commit that it joins claims a step", Quote(path))
	case d != nil:
		fmt.Fprintf(&text, "the merge decides %s, which %s may not %s", Quote(path), anyOf(names), do)
	case len(names) == 0:
		fmt.Fprintf(&text, "the commit may not %s %s: it claims no step", do, Quote(path))
	case len(names) == 1:
		fmt.Fprintf(&text, "step %s may not %s %s", names[0], do, Quote(path))
	default:
		fmt.Fprintf(&text, "none of the claimed steps %s may %s %s, and the change can't be attributed to one of them", listOr(names, ""), do, Quote(path))
	}
	if why != "" {
		text.WriteString(": " + why)
	}
	switch len(names) {
	case 0:
	case 1:
		text.WriteString("; its writes are " + w.describe())
	default:
		text.WriteString("; their writes are " + w.describe())
	}
	return text.String()
}

// describe prints the boundary, cut where it is too long for a sentence.
func (w *work) describe() string {
	if len(w.allow) == 0 {
		return Describe(nil)
	}
	return listOr(w.allow, "")
}

func anyOf(names []string) string {
	if len(names) == 1 {
		return "step " + names[0]
	}
	return "none of the steps " + listOr(names, "")
}

func quoted(positions []Position) []string {
	names := make([]string, len(positions))
	for i, p := range positions {
		names[i] = Quote(diag.Clip(p.Name))
	}
	return names
}

// policyFinding: a protected path.
func (w *work) policyFinding(path string, d *Decision) diag.Diagnostic {
	f := w.finding("boundary-policy-edit", path, w.policyMessage(path, d))
	f.Hint = "leave the file to a person, in a pull request of its own"
	if ProtectionOf(path) == Openable {
		f.Hint += ", or open it to the step by a writes entry that names exactly this file"
	}
	return f
}

func (w *work) policyMessage(path string, d *Decision) string {
	what := Quote(path) + ", which decides what fleets may do"
	if d != nil {
		return "the merge decides " + what
	}
	switch names := quoted(w.positions); {
	case len(names) == 1:
		return fmt.Sprintf("step %s may not change %s", names[0], what)
	case w.claimed:
		return fmt.Sprintf("a commit that claims a step may not change %s", what)
	case w.fleet:
		return fmt.Sprintf("a commit of a fleet's pull request may not change %s", what)
	}
	return fmt.Sprintf("a commit that an agent signed may not change %s", what)
}

func (w *work) restoredFinding(path string) diag.Diagnostic {
	return w.finding("boundary-restored", path, w.mayNot("write", path, "", nil)+"; head has it as base does").
		WithHint("nothing of it is left at head; squash or drop the commits if the history should not show them")
}

func (w *work) droppedFinding(path string, severity diag.Severity) diag.Diagnostic {
	f := w.finding("merge-dropped", path, fmt.Sprintf("the merge throws away what one side alone had changed in %s", Quote(path))).
		WithHint("merge again and keep the change, or revert it in a commit of its own that may write the path")
	f.Severity = severity
	return f
}

func (w *work) escapeFinding(path, target string) diag.Diagnostic {
	where := "the repository"
	if w.list.Dir(path) != "" {
		where = "the boundary"
	}
	return w.weigh(w.finding("symlink-escape", path, fmt.Sprintf("the link %s points to %s, which leaves %s", Quote(path), target, where)).
		WithHint("point it at something inside, or add a writes entry that names exactly this link on the base branch"))
}

func (w *work) gitlinkFinding(path string) diag.Diagnostic {
	return w.weigh(w.finding("tree-gitlink-undeclared", path, fmt.Sprintf("the submodule %s has no entry in .gitmodules", Quote(path))).
		WithHint("declare it with `git submodule add`, or remove it with `git rm --cached`"))
}

func (w *work) alias(alias Alias) {
	w.add(w.weigh(w.finding("tree-alias", alias.Path, fmt.Sprintf("the new path %s is the same as %s on some file systems", Quote(alias.Path), Quote(alias.Other))).
		WithHint("give it a name that differs in more than letter case, Unicode form or trailing dots")))
}

// weigh makes a finding about a tree an error where the commit claims a step.
func (w *work) weigh(d diag.Diagnostic) diag.Diagnostic {
	if w.claimed {
		d.Severity = diag.Error
	}
	return d
}

func (w *work) malformed(problems []TreeProblem) {
	for _, p := range problems {
		w.add(malformedFinding(w.commit.ID, p))
	}
}

func malformedFinding(commit OID, p TreeProblem) diag.Diagnostic {
	tree := "the root tree"
	path := p.Name
	if p.Dir != "" {
		tree = "the tree " + Quote(p.Dir)
		path = p.Dir + "/" + p.Name
	}
	d := about("tree-malformed", commit, fmt.Sprintf("the entry %s of %s %s", Quote(p.Name), tree, p.Why)).
		WithHint("rewrite the commit with git's own tools; `git fsck` names the tree")
	d.Path = path
	return d
}

// malformedNet reports what the difference from base to head met, at head,
// but for what a commit of the range is blamed for already.
func (j *judge) malformedNet(found []diag.Diagnostic) []diag.Diagnostic {
	blamed := map[string]bool{}
	for _, d := range found {
		if d.Code == "tree-malformed" {
			blamed[d.Path] = true
		}
	}
	var net []diag.Diagnostic
	for _, p := range j.in.History.NetMalformed {
		d := malformedFinding(j.in.Range.Head, p)
		if !blamed[d.Path] {
			blamed[d.Path] = true
			net = append(net, d)
		}
	}
	return net
}

// policyLinks reports the claimed steps whose entries pass through a symbolic
// link of base's tree: git sees the link, so that they cover nothing.
func (j *judge) policyLinks() []diag.Diagnostic {
	var found []diag.Diagnostic
	seen := map[string]bool{}
	for _, window := range j.in.Windows {
		for _, p := range window.Positions {
			if seen[p.Name] {
				continue
			}
			seen[p.Name] = true
			found = append(found, j.policyLinksOf(p)...)
		}
	}
	return found
}

func (j *judge) policyLinksOf(p Position) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, entry := range p.Allow {
		link, err := j.linkOnEntry(entry)
		if j.fail(err) || link == "" {
			continue
		}
		d := diag.New("policy-symlink", p.Pos, "", fmt.Sprintf("the writes entry %s of step %s passes through the symbolic link %s, so it covers nothing",
			Quote(entry), Quote(p.Name), Quote(link))).
			WithHint("name the directory that the link points to, or replace the link by a directory")
		d.Rev, d.Step = diag.Base, p.Name
		found = append(found, d)
	}
	return found
}

// linkOnEntry looks at base's tree.
func (j *judge) linkOnEntry(entry string) (string, error) {
	tree, err := j.treeOf(j.in.BaseTip)
	if err != nil {
		return "", err
	}
	return LinkOnEntry(entry, func(path string) (bool, error) {
		found, err := j.in.Trees.Entry(tree, path)
		return found.Mode == Symlink, err
	})
}
