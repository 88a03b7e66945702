package gate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// The bounds of a run's result files.
const (
	MaxResultFiles   = 10_000  // result files of one check
	MaxResultBytes   = 1 << 20 // bytes of one result file
	MaxResultCommits = 10_000  // commits that one result file names
)

// judgeResults holds the reports that --results names against the contracts of
// the steps they answer for, and against the commits that claim those steps.
func (r *run) judgeResults() error {
	if r.o.Results == "" {
		return nil
	}
	files, err := resultFiles(r.o)
	if err != nil {
		return err
	}
	j := r.newResultJudge()
	for _, f := range files {
		j.admit(f)
	}
	if err := j.judge(); err != nil {
		return err
	}
	if r.o.ResultsRequired {
		j.missing()
	}
	r.report(j.found...)
	r.results = &verdict.Results{Pattern: r.o.Results, Required: r.o.ResultsRequired, Files: resultRows(files)}
	return nil
}

// resultRows are the files as the verdict lists them.
func resultRows(files []*resultFile) []verdict.ResultFile {
	rows := make([]verdict.ResultFile, len(files))
	for i, f := range files {
		rows[i] = f.row
		rows[i].File = f.name
	}
	return rows
}

// resultFiles reads the files of the work tree that the pattern names, by
// name. They are data: nothing in them is executed.
func resultFiles(o Options) ([]*resultFile, error) {
	pattern, err := resultPattern(o.Results)
	if err != nil {
		return nil, err
	}
	root, err := openPolicyRoot(o.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := resultNames(root.FS(), pattern)
	if err != nil {
		return nil, err
	}
	var files []*resultFile
	for _, name := range names {
		if f := readResult(root.FS(), name); f != nil {
			files = append(files, f)
		}
	}
	return files, nil
}

// resultNames lists what the pattern names, in order.
func resultNames(tree fs.FS, pattern string) ([]string, error) {
	names, err := fs.Glob(tree, pattern)
	switch {
	case err != nil:
		return nil, &UsageError{Message: fmt.Sprintf("--results %s: %v", pattern, err)}
	case len(names) > MaxResultFiles:
		return nil, &UsageError{
			Message: fmt.Sprintf("--results %s names %d files; at most %d are read", pattern, len(names), MaxResultFiles),
			Hint:    "keep the reports of one run apart from those of older ones",
		}
	}
	slices.Sort(names)
	return names, nil
}

// resultPattern makes a pattern of the command line one of the work tree.
func resultPattern(raw string) (string, error) {
	pattern := path.Clean(filepath.ToSlash(raw))
	if path.IsAbs(pattern) || filepath.IsAbs(raw) || pattern == ".." || strings.HasPrefix(pattern, "../") {
		return "", &UsageError{
			Message: fmt.Sprintf("--results %s leaves the work tree", raw),
			Hint:    "name the files relative to the work tree's root, such as 'results/*.json'",
		}
	}
	return pattern, nil
}

// readResult reads one file; a directory is none. What can't be read, isn't a
// regular file or is too large is a finding.
func readResult(tree fs.FS, name string) *resultFile {
	f := &resultFile{name: name}
	info, err := fs.Stat(tree, name)
	switch {
	case err != nil:
		return f.unreadable(err)
	case info.IsDir():
		return nil
	case !info.Mode().IsRegular():
		return f.unreadable(errors.New("it is no regular file"))
	}
	file, err := tree.Open(name)
	if err != nil {
		return f.unreadable(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxResultBytes+1))
	if err != nil {
		return f.unreadable(err)
	}
	f.parse(text)
	return f
}

func (f *resultFile) unreadable(err error) *resultFile {
	f.refuse(diag.Pos{File: f.name}, "", "it can't be read: %v", reasonOf(err))
	return f
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
