package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// withPolicy gives a repository and a base from which the gate judges a range.
// It judges nothing where base has no policy, as in most clones. Then the base
// is one commit more, which only adds a policy: the base branch went on while
// the pull request was open, and the range is the same. The commit is put into
// an empty repository that borrows the clone's objects, so that the clone stays
// as it is.
func (b *bench) withPolicy(dir, base string) (at, judged string, done func(), err error) {
	if _, err := gitOutput(dir, "cat-file", "-e", base+":"+policyPath); err == nil {
		return dir, base, func() {}, nil
	}
	if at, err = os.MkdirTemp(b.temp, "policy"); err != nil {
		return "", "", nil, err
	}
	if err := borrow(dir, at); err != nil {
		return "", "", nil, err
	}
	if judged, err = addPolicy(at, base); err != nil {
		return "", "", nil, err
	}
	return at, judged, func() { _ = os.RemoveAll(at) }, nil
}

// borrow makes a repository whose objects are another's, and whose HEAD, too.
func borrow(dir, at string) error {
	objects, err := objectsOf(dir)
	if err != nil {
		return err
	}
	head, ok := first(dir, "HEAD")
	if !ok {
		return fmt.Errorf("%s has no HEAD", dir)
	}
	if err := git("", "init", "--quiet", "--bare", "--initial-branch=main", at); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(at, "objects", "info", "alternates"), []byte(objects+"\n"), 0o644); err != nil {
		return err
	}
	return git(at, "update-ref", "HEAD", head)
}

// addPolicy makes a commit that adds a policy to another one.
func addPolicy(at, parent string) (string, error) {
	date, err := gitOutput(at, "show", "--no-patch", "--format=%cd", "--date=raw", parent)
	if err != nil {
		return "", err
	}
	w := writer{at: at, date: strings.TrimSpace(string(date))}
	blob := w.git(generatedPolicy, "hash-object", "-w", "--stdin")
	w.git("", "read-tree", parent)
	w.git("", "update-index", "--add", "--cacheinfo", "100644,"+blob+","+policyPath)
	tree := w.git("", "write-tree")
	commit := w.git("Add a policy\n", "commit-tree", tree, "-p", parent)
	return commit, w.err
}

// writer writes objects until something fails.
type writer struct {
	at, date string
	err      error
}

func (w *writer) git(input string, args ...string) string {
	if w.err != nil {
		return ""
	}
	command := call{args: append([]string{"git", "-C", w.at}, args...), env: []string{
		"GIT_INDEX_FILE=" + filepath.Join(w.at, "bench-index"),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=" + w.date,
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=" + w.date,
	}}.command()
	command.Stdin = strings.NewReader(input)
	command.Stderr = os.Stderr
	out, err := command.Output()
	w.err = err
	return string(bytes.TrimSpace(out))
}
