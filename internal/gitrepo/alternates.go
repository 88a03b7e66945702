package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// alternates lists the object directories that an object directory borrows
// from, directly or through others, each once, in the order git reads them.
// One that isn't there is left out: what it held turns out to be missing.
func alternates(objects string) ([]string, error) {
	found := []string{resolved(objects)}
	if err := addAlternates(&found, objects, 0); err != nil {
		return nil, err
	}
	return found[1:], nil
}

func addAlternates(found *[]string, objects string, depth int) error {
	list := filepath.Join(objects, "info", "alternates")
	text, err := readControl(list)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(text, "\n") {
		dir := alternatePath(objects, strings.TrimSuffix(line, "\r"))
		if dir == "" || slices.Contains(*found, dir) {
			continue
		}
		if depth >= MaxAlternateDepth {
			return &LimitError{What: list, Name: "MaxAlternateDepth", Limit: MaxAlternateDepth}
		}
		if len(*found) > MaxAlternates {
			return &LimitError{What: list, Name: "MaxAlternates", Limit: MaxAlternates}
		}
		*found = append(*found, dir)
		if err := addAlternates(found, dir, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// alternatePath gives the directory that a line of an alternates file names,
// or "" for a comment, an empty line, and a directory that isn't there.
func alternatePath(objects, line string) string {
	if line == "" || line[0] == '#' {
		return ""
	}
	if unquoted, err := strconv.Unquote(line); err == nil && line[0] == '"' {
		line = unquoted
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(objects, line)
	}
	if info, err := os.Stat(line); err != nil || !info.IsDir() {
		return ""
	}
	return resolved(line)
}

// resolved follows symbolic links, so that one directory has one name.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}
