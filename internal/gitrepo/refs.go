package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// originHead is the symbolic reference that a clone leaves for the remote's
// default branch.
const originHead = "refs/remotes/origin/HEAD"

// refValue is what a reference holds: an object id, or another reference's name.
type refValue struct {
	id     boundary.OID
	target string
}

// Ref gives the commit that a full reference name ("refs/heads/main", "HEAD")
// points at, peeled; ok is false where there is no such reference, or it names
// one that isn't there. One that can't be followed is a RefError.
func (r *Repo) Ref(name string) (id boundary.OID, ok bool, err error) {
	id, ok, err = r.follow(name)
	if err != nil || !ok {
		return boundary.OID{}, false, err
	}
	id, err = r.peel(id)
	var wrong *notCommitError
	if errors.As(err, &wrong) {
		err = &RefError{Name: name, Why: wrong.Error()}
	}
	return id, err == nil, err
}

// OriginHead gives the full name that refs/remotes/origin/HEAD points at, or "".
func (r *Repo) OriginHead() (string, error) {
	value, ok, err := r.readRef(originHead)
	if err != nil || !ok {
		return "", err
	}
	return value.target, nil
}

// HeadBranch gives the name of the branch that HEAD stands on, without
// refs/heads/, or "" where it stands on none. The branch needn't have a commit.
func (r *Repo) HeadBranch() (string, error) {
	value, _, err := r.readRef("HEAD")
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(value.target, "refs/heads/")
	if !ok {
		return "", nil
	}
	return name, nil
}

// follow gives the object that a reference names, through symbolic ones.
func (r *Repo) follow(name string) (boundary.OID, bool, error) {
	at := name
	for range MaxSymbolicDepth + 1 {
		value, ok, err := r.readRef(at)
		if err != nil || !ok {
			return boundary.OID{}, false, err
		}
		if value.target == "" {
			return value.id, true, nil
		}
		at = value.target
	}
	return boundary.OID{}, false, &RefError{
		Name: name,
		Why:  fmt.Sprintf("leads through more than %d symbolic references (MaxSymbolicDepth)", MaxSymbolicDepth),
	}
}

// readRef reads one reference: its own file first, then packed-refs. go-git
// would take garbage for an id and pass over an empty file, so the file is
// read here.
func (r *Repo) readRef(name string) (refValue, bool, error) {
	if !validRefName(name) {
		return refValue{}, false, &RefError{Name: name, Why: "is no name that git allows"}
	}
	value, ok, err := r.looseRef(name)
	if err != nil || ok {
		return value, ok, err
	}
	packed, err := r.refs.Reference(plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return refValue{}, false, nil
	}
	if err != nil {
		return refValue{}, false, fmt.Errorf("read reference %q from packed-refs: %w", name, err)
	}
	if packed.Hash().IsZero() {
		return refValue{}, false, &RefError{Name: name, Why: "holds no object id in packed-refs"}
	}
	return refValue{id: boundary.OID(packed.Hash())}, true, nil
}

// looseRef reads a reference that has a file of its own.
func (r *Repo) looseRef(name string) (refValue, bool, error) {
	path, err := r.files.place(name)
	if err != nil {
		return refValue{}, false, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) || err == nil && info.IsDir() {
		return refValue{}, false, nil
	}
	if err != nil {
		return refValue{}, false, fmt.Errorf("read reference %q: %w", name, err)
	}
	text, err := readControl(path)
	if err != nil {
		return refValue{}, false, err
	}
	value, why := parseRef(text)
	if why != "" {
		return refValue{}, false, &RefError{Name: name, Why: why}
	}
	return value, true, nil
}

// parseRef reads a reference file: `ref: NAME`, or an object id, after which
// FETCH_HEAD has more. It gives what is wrong with it, or "".
func parseRef(text string) (refValue, string) {
	const digits = 40
	if strings.TrimSpace(text) == "" {
		return refValue{}, "is empty"
	}
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		target = strings.TrimSpace(target)
		if !validRefName(target) {
			return refValue{}, fmt.Sprintf("points at %q, which is no name that git allows", target)
		}
		return refValue{target: target}, ""
	}
	if len(text) > digits && !strings.ContainsRune(" \t\r\n", rune(text[digits])) {
		return refValue{}, "holds neither an object id nor a reference"
	}
	id, ok := boundary.ParseOID(text[:min(digits, len(text))])
	if !ok || id.IsZero() {
		return refValue{}, "holds neither an object id nor a reference"
	}
	return refValue{id: id}, ""
}

// validRefName says whether git allows a full reference name: one under refs/,
// or one like HEAD.
func validRefName(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return isPseudoRef(name)
	}
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// isPseudoRef says whether a name is one like HEAD or FETCH_HEAD.
func isPseudoRef(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return name != ""
}
