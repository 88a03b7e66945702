package result

import (
	"path"
	"strings"
)

// Filesystem is what a validation may ask about the files of a run (spec 7).
// Paths are clean slash paths, resolved against the run's directory. The other
// two questions, Presence and Directories, are optional: a Filesystem that can
// answer them implements them too.
type Filesystem interface {
	// ReadFile gives a file's text as the runtime decodes it, or false where there is no readable file.
	ReadFile(path string) (text string, ok bool)
}

// Presence is a Filesystem that can say whether anything stands at a path.
type Presence interface{ PathExists(path string) bool }

// Directories is a Filesystem that can tell directories.
type Directories interface{ IsDirectory(path string) bool }

// workspace is the directory that a run worked in: absolute, or "." where it
// isn't known; then no absolute path is inside.
type workspace string

// resolve gives the clean path that a reported one stands for.
func (w workspace) resolve(reported string) string {
	if path.IsAbs(reported) {
		return path.Clean(reported)
	}
	return path.Join(string(w), reported)
}

// relative gives a resolved path relative to the workspace ("." for the
// workspace itself), or false where it lies outside.
func (w workspace) relative(resolved string) (string, bool) {
	dir := path.Clean(string(w))
	switch {
	case dir == ".":
		return resolved, !path.IsAbs(resolved) && resolved != ".." && !strings.HasPrefix(resolved, "../")
	case resolved == dir:
		return ".", true
	case dir == "/":
		return strings.TrimPrefix(resolved, "/"), path.IsAbs(resolved)
	}
	return strings.CutPrefix(resolved, dir+"/")
}
