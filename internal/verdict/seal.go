package verdict

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// Seal finishes a verdict: lists in their order, findings counted, digest
// computed. Equal inputs, in whatever order they were found, give equal bytes.
// It refuses a verdict that contradicts itself, which is an error of ours.
func (v *Verdict) Seal() error {
	v.sort()
	v.Count()
	if err := v.sound(); err != nil {
		return err
	}
	v.Digest = ""
	digest, err := digestOf(v)
	if err != nil {
		return err
	}
	v.Digest = digest
	return nil
}

// Count fills Counts from the rows and the findings, but for Judged.
func (v *Verdict) Count() {
	c := &v.Counts
	c.Commits, c.Claimed, c.Imported = len(v.Commits), 0, 0
	for i := range v.Commits {
		if len(v.Commits[i].Claims) > 0 {
			c.Claimed++
		}
		if v.Commits[i].Status == StatusImported {
			c.Imported++
		}
	}
	c.Errors, c.Warnings, c.Notes = diag.Count(v.Diagnostics)
}

// Outside counts the findings of paths that a step wrote and may not write,
// whatever they weigh.
func (v *Verdict) Outside() int {
	n := 0
	for i := range v.Diagnostics {
		if IsOutside(v.Diagnostics[i].Code) {
			n++
		}
	}
	return n
}

// IsOutside tells the codes of paths that a step wrote and may not write.
func IsOutside(code diag.Code) bool {
	return code == "boundary-outside" || code == "boundary-policy-edit"
}

// Decide gives the word that findings and completeness add up to: a finding
// that fails beats undecided, and only what was read whole passes. failOn is
// the lightest severity that fails; zero means Error.
func Decide(found []diag.Diagnostic, complete bool, failOn diag.Severity) (word Word, incomplete bool) {
	failOn = max(failOn, diag.Error)
	failed := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity <= failOn })
	switch {
	case failed:
		return Failed, !complete
	case !complete:
		return Undecided, true
	}
	return Passed, false
}

// Writes is what the fleet's steps may write between them, sorted.
func (f *Fleet) Writes() []string {
	var all []string
	for i := range f.Steps {
		all = append(all, f.Steps[i].Writes...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (v *Verdict) sort() {
	v.MergeBases = sorted(v.MergeBases)
	v.Trusted = sorted(v.Trusted)
	slices.SortStableFunc(v.Diagnostics, diag.Compare)
	slices.SortStableFunc(v.Fleets, func(a, b Fleet) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	for i := range v.Fleets {
		v.Fleets[i].Violated = sorted(v.Fleets[i].Violated)
	}
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

// sound holds what every reader relies on: a pass has no error and nothing unread.
func (v *Verdict) sound() error {
	switch v.Word {
	case Passed:
		if v.Counts.Errors > 0 || v.Incomplete {
			return errors.New("verdict: passed, although an error was found or not everything was read")
		}
	case Failed:
	case Undecided:
		if v.Counts.Errors > 0 {
			return errors.New("verdict: undecided, although an error was found")
		}
	default:
		return errors.New("verdict: none was given")
	}
	return nil
}

// digestOf is the SHA-256, in hexadecimal, of the verdict's canonical JSON (RFC 8785).
func digestOf(v *Verdict) (string, error) {
	hash := sha256.New()
	e := newEncoder(hash, true)
	verdictObject.write(e, v)
	if err := e.flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
