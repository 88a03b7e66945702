package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// layout is where the parts of a repository lie.
type layout struct {
	own      string // this work tree's git directory: HEAD
	common   string // the git directory that all work trees share: refs, config, objects
	workTree string // the directory that holds .git; "" if the git directory was named itself
}

// findLayout looks for a repository in dir and in every directory above it,
// at each first for .git, then for a bare repository, as git does.
func findLayout(dir string) (layout, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, fmt.Errorf("open repository: %w", err)
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return layout{}, fmt.Errorf("open repository: %w", err)
	}
	for at := start; ; {
		found, ok, err := layoutAt(at)
		if err != nil || ok {
			return found, err
		}
		parent := filepath.Dir(at)
		if parent == at {
			return layout{}, &NotFoundError{Dir: dir}
		}
		at = parent
	}
}

// layoutAt says whether dir holds a .git or is a git directory itself.
func layoutAt(dir string) (layout, bool, error) {
	own, ok, err := followDotGit(filepath.Join(dir, ".git"))
	if err != nil {
		return layout{}, false, err
	}
	if ok {
		return completeLayout(own, dir)
	}
	if ok, err := isGitDir(dir); err != nil || !ok {
		return layout{}, false, err
	}
	return completeLayout(dir, "")
}

func completeLayout(own, workTree string) (layout, bool, error) {
	common, err := commonDir(own)
	if err != nil {
		return layout{}, false, err
	}
	return layout{own: own, common: common, workTree: workTree}, true, nil
}

// followDotGit gives the git directory that a .git directory or file stands
// for. A .git directory that isn't one is passed over, as git does.
func followDotGit(path string) (string, bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("open repository: %w", err)
	}
	if info.IsDir() {
		ok, err := isGitDir(path)
		return path, ok, err
	}
	text, err := readControl(path)
	if err != nil {
		return "", false, err
	}
	target, ok := strings.CutPrefix(text, "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" || strings.ContainsRune(target, 0) {
		return "", false, &ConfigError{File: path, Why: "it isn't `gitdir: DIRECTORY`"}
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	ok, err = isGitDir(target)
	if err == nil && !ok {
		err = &ConfigError{File: path, Why: fmt.Sprintf("%q is no git directory", target)}
	}
	return target, ok, err
}

// isGitDir says whether a directory has what every git directory has.
func isGitDir(dir string) (bool, error) {
	if ok, err := exists(filepath.Join(dir, "HEAD")); err != nil || !ok {
		return false, err
	}
	common, err := commonDir(dir)
	if err != nil {
		return false, err
	}
	for _, name := range []string{"objects", "refs"} {
		if ok, err := exists(filepath.Join(common, name)); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// commonDir gives the git directory that a work tree's one shares.
func commonDir(own string) (string, error) {
	path := filepath.Join(own, "commondir")
	if ok, err := exists(path); err != nil || !ok {
		return own, err
	}
	text, err := readControl(path)
	if err != nil {
		return "", err
	}
	target := strings.TrimRight(text, "\r\n")
	if target == "" || strings.ContainsRune(target, 0) {
		return "", &ConfigError{File: path, Why: "it names no directory"}
	}
	if filepath.IsAbs(target) {
		return filepath.Clean(target), nil
	}
	return filepath.Join(own, target), nil
}

// exists says whether a file or directory, or a dangling link (an unborn
// HEAD of old was one), is there. Not being allowed to look is an error.
func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open repository: %w", err)
	}
	return true, nil
}

// isNotDir says that a path goes through a file, so that nothing is there.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// readControl reads one of the repository's own control files, of at most
// MaxControlBytes. A missing file is an error that is fs.ErrNotExist.
func readControl(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxControlBytes+1))
	if err != nil {
		return "", fmt.Errorf("open repository: read %s: %w", path, err)
	}
	if len(text) > MaxControlBytes {
		return "", &LimitError{What: path, Name: "MaxControlBytes", Limit: MaxControlBytes}
	}
	return string(text), nil
}
