package gitrepo

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// MissingObjectError says that an object which a judgement needs isn't in the
// repository: the verdict is undecided until it is fetched.
type MissingObjectError struct {
	ID   boundary.OID
	Kind string // "commit", "tree", "blob", "object"
	Path string // where it is needed, if known
	// Shallow: it is the parent of a commit at which a shallow clone ends.
	// Fetching it alone doesn't help, `git fetch --deepen` does.
	Shallow bool
}

// Error names the object and its kind.
func (e *MissingObjectError) Error() string {
	if e.Shallow {
		return fmt.Sprintf("%s %s is not in this repository, because it is a shallow clone", e.Kind, e.ID)
	}
	if e.Path == "" {
		return fmt.Sprintf("%s %s is not in this repository", e.Kind, e.ID)
	}
	return fmt.Sprintf("%s %s, needed for %q, is not in this repository", e.Kind, e.ID, e.Path)
}

// CorruptError says that an object is there but isn't what git writes: of
// another type than its place asks for, cut off, or malformed.
type CorruptError struct {
	ID   boundary.OID
	Kind string // what it should be: "commit", "tree", "blob", "tag"
	Why  string // "is a blob", "ends inside an entry", …
}

// Error names the object and what is wrong with it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s %s is malformed: it %s; run `git fsck`", e.Kind, e.ID, e.Why)
}

// LimitError says that something in the repository exceeds a named limit of
// this package, so that no judgement about it is possible.
type LimitError struct {
	What  string // the thing and its size: "blob 1234… of 2097152 bytes"
	Name  string // the limit's name: "MaxTreeBytes"
	Limit int64
}

// Error names the thing, the limit and its value.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s exceeds the limit of %d (%s)", e.What, e.Limit, e.Name)
}

// NotFoundError says that a directory lies in no git repository.
type NotFoundError struct {
	Dir string
}

// Error names the directory and the way out.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no git repository in %q or above it; run `git init` there, or name another directory", e.Dir)
}

// UnsupportedError says that a repository is stored in a way that can't be
// read here.
type UnsupportedError struct {
	What string // names the thing: `the extension objectFormat=sha256`
	Way  string // the way out, an imperative sentence without a full stop
}

// Error names the thing and the way out.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s is not supported; %s", e.What, e.Way)
}

// ConfigError says that one of the repository's own control files (config,
// .git, commondir, shallow, alternates) can't be read.
type ConfigError struct {
	File string
	Why  string
}

// Error names the file and what is wrong with it, on one line.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s can't be read: %s", e.File, e.Why)
}

// RefError says that a reference exists but can't be followed.
type RefError struct {
	Name string
	Why  string // "is empty", "points at itself", …
}

// Error names the reference and what is wrong with it.
func (e *RefError) Error() string {
	return fmt.Sprintf("reference %q %s", e.Name, e.Why)
}

// RevisionError says that a revision names no commit.
type RevisionError struct {
	Rev string
	Why string // "names no branch, tag or commit", "is ambiguous: …", …
}

// Error names the revision and what is wrong with it.
func (e *RevisionError) Error() string {
	return fmt.Sprintf("revision %q %s", e.Rev, e.Why)
}
