package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/drift"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// WriteLock writes the lock of the work tree's policy, if that is sound, and
// gives what it wrote. changed is false where the lock was the same already.
func WriteLock(ctx context.Context, o Options) (lock drift.Lock, changed bool, err error) {
	root, err := openPolicyRoot(o.Dir)
	if err != nil {
		return drift.Lock{}, false, err
	}
	defer root.Close()
	set, err := discover.Load(ctx, root.FS(), discover.Options{Roots: o.Roots, External: o.External, WorkTree: true})
	if err != nil {
		return drift.Lock{}, false, err
	}
	if err := lockable(&set); err != nil {
		return drift.Lock{}, false, err
	}
	lock = drift.LockOf(&set, o.Tool)
	var text bytes.Buffer
	if _, err := lock.WriteTo(&text); err != nil {
		return drift.Lock{}, false, err
	}
	if text.Len() > drift.MaxLockBytes {
		return drift.Lock{}, false, &UsageError{
			Message: fmt.Sprintf("the lock would have %d bytes, and at most %d are read", text.Len(), int64(drift.MaxLockBytes)),
			Hint:    "write directories in place of long lists of files, and divide long contracts",
		}
	}
	changed, err = replace(root, text.Bytes())
	return lock, changed, err
}

// lockable refuses a policy that isn't sound: what isn't valid has no meaning
// that a lock could hold.
func lockable(set *discover.Set) error {
	var broken []diag.Diagnostic
	for _, d := range set.Found {
		if d.Severity == diag.Error {
			broken = append(broken, d)
		}
	}
	if len(broken) > 0 {
		return &UsageError{
			Message: "the policy isn't sound, and can't be locked: " + broken[0].Pos.String() + ": " + broken[0].Message,
			Hint:    "`fleetgate lint` lists what is wrong",
			Found:   broken,
		}
	}
	if !set.HasPolicy && projectAgents(set) == 0 && set.Registry == nil {
		return &UsageError{Message: "there is no policy to lock: no recipe, fleet or command under " + discover.Dir + "/"}
	}
	return nil
}

// replace puts the lock in place, whole or not at all. A link of that name is
// replaced itself: what it points at stays as it is.
func replace(root *os.Root, text []byte) (changed bool, err error) {
	if info, err := root.Lstat(drift.LockPath); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(text)) {
		old, err := root.ReadFile(drift.LockPath)
		if err == nil && bytes.Equal(old, text) {
			return false, nil
		}
	}
	temp := fmt.Sprintf("%s.%d.tmp", drift.LockPath, os.Getpid())
	if err := root.WriteFile(temp, text, 0o666); err != nil {
		return false, fmt.Errorf("the lock can't be written: %w", err)
	}
	if err := root.Rename(temp, drift.LockPath); err != nil {
		return false, fmt.Errorf("the lock can't be written: %w", errors.Join(err, root.Remove(temp)))
	}
	return true, nil
}

// CheckLock holds the work tree's policy against its lock. No lock is a
// UsageError.
func CheckLock(ctx context.Context, o Options) (verdict.Verdict, error) {
	var lock drift.Lock
	there := false
	set, found, err := read(ctx, o, func(tree fs.FS, _ *discover.Set) (found []diag.Diagnostic, err error) {
		lock, found, there, err = drift.ReadLock(tree)
		return found, err
	})
	if err != nil {
		return verdict.Verdict{}, err
	}
	if !there {
		return verdict.Verdict{}, &UsageError{Message: "there is no lock: " + drift.LockPath, Hint: "write it with `fleetgate lock`, and commit it"}
	}
	if len(found) == 0 {
		found = lock.Drift(set, diag.None)
	}
	v := verdict.Verdict{
		Tool: o.Tool, Command: "lock", Repository: o.Repository, Assurance: verdict.SelfDeclared, Policy: set.Digest, Fleets: pictures(set),
	}
	v.Diagnostics = weigh(set.Config, found, o.Raise)
	v.Word, v.Reason, v.Summary = verdict.Passed, "clean", lockSummary(lock)
	errs, warnings, notes := diag.Count(v.Diagnostics)
	if len(v.Diagnostics) > 0 {
		v.Summary = fmt.Sprintf("the policy differs from the lock in nothing that fails: %s, %s", counted(warnings, "warning"), counted(notes, "note"))
	}
	if slices.ContainsFunc(v.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity <= max(o.FailOn, diag.Error) }) {
		v.Word, v.Reason = verdict.Failed, "findings"
		v.Summary = fmt.Sprintf("the policy isn't what the lock has: %s, %s", counted(errs, "error"), counted(warnings, "warning"))
	}
	return v, v.Seal()
}

// weigh gives the findings of a work tree the severities of its configuration
// and of the flags.
func weigh(config discover.Config, found []diag.Diagnostic, raise map[diag.Code]diag.Severity) []diag.Diagnostic {
	kept := []diag.Diagnostic{}
	for _, d := range config.Apply(found, "") {
		if raised, ok := raise[d.Code]; ok && raised < d.Severity {
			d.Severity = raised
		}
		if d.Severity != diag.Off {
			kept = append(kept, d)
		}
	}
	return kept
}

func lockSummary(lock drift.Lock) string {
	return "the policy is what the lock has: " + LockContents(lock)
}

// LockContents counts what a lock holds: "1 recipe, 2 fleets, 3 commands".
func LockContents(lock drift.Lock) string {
	return fmt.Sprintf("%s, %s, %s", counted(len(lock.Recipes), "recipe"), counted(len(lock.Fleets), "fleet"), counted(len(lock.Commands), "command"))
}

// staleLock warns of a range that changes policy without the lock that base
// has. What was drift at base already is no work of the range.
func (r *run) staleLock() ([]diag.Diagnostic, error) {
	if !r.changedPolicy() {
		return nil, nil
	}
	base, brokenAtBase, there, err := r.lockAt(r.at.base)
	if err != nil || !there {
		return nil, err
	}
	head, broken, there, err := r.lockAt(r.at.head)
	switch {
	case err != nil:
		return nil, err
	case !there:
		return []diag.Diagnostic{stale("the lock that base has is gone at head")}, nil
	case len(broken) > 0 && r.changed(drift.LockPath):
		return broken, nil
	case len(broken) > 0 || len(brokenAtBase) > 0 && !r.changed(drift.LockPath):
		return nil, nil
	}
	standing := map[string]bool{}
	for _, d := range base.Drift(r.base, diag.Head) {
		standing[identity(d)] = true
	}
	fresh := slices.DeleteFunc(head.Drift(r.head, diag.Head), func(d diag.Diagnostic) bool { return standing[identity(d)] })
	if len(fresh) == 0 {
		return nil, nil
	}
	message := "the policy at head isn't what its lock has: " + fresh[0].Message
	if more := len(fresh) - 1; more > 0 {
		message += fmt.Sprintf(", and %d more", more)
	}
	return []diag.Diagnostic{stale(message)}, nil
}

func stale(message string) diag.Diagnostic {
	d := diag.New("lock-stale", diag.Pos{File: drift.LockPath}, "", message).
		WithHint("run `fleetgate lock` and commit " + drift.LockPath + " with the change")
	d.Rev = diag.Head
	return d
}

// lockAt reads the lock of a commit's tree.
func (r *run) lockAt(commit boundary.OID) (lock drift.Lock, found []diag.Diagnostic, there bool, err error) {
	tree, err := r.repo.Tree(commit)
	if err != nil {
		return drift.Lock{}, nil, false, err
	}
	lock, found, there, err = drift.ReadLock(tree)
	for i := range found {
		found[i].Rev = diag.Head
	}
	return lock, found, there, err
}
