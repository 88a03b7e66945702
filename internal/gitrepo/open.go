package gitrepo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing/storer"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/gitrepo/packstore"
)

// Repo is an open repository, safe for concurrent reads. It implements
// boundary.Trees. It shows the repository as it was when it was opened: after
// a fetch, open it again. Nothing is ever written.
//
// Replace references and grafts are not consulted: what is judged is what the
// object ids say.
type Repo struct {
	at      layout
	config  config
	files   gitFS
	refs    storer.ReferenceStorer
	objects *objects
	trees   *sharedTrees
	graph   *packstore.CommitGraph // nil if there is none, or it doesn't count
	// shallow are the commits whose parents the clone left out (.git/shallow).
	shallow map[boundary.OID]bool
	// walked is what the last Range has read, which nobody changes any more: a
	// comparison needs much of it again, for the merge bases of merges.
	walked *walkedGraph
}

type walkedGraph = atomic.Pointer[graph]

var _ boundary.Trees = (*Repo)(nil)

// Open finds the repository that dir lies in (a subfolder, a linked work tree,
// a submodule, a bare repository, a git directory) and opens it for reading.
// Who owns it doesn't matter. Its error is a NotFoundError, an
// UnsupportedError with the way out, a ConfigError, a LimitError, or the
// operating system's.
func Open(dir string) (*Repo, error) {
	at, err := findLayout(dir)
	if err != nil {
		return nil, err
	}
	settings, err := readConfig(at)
	if err != nil {
		return nil, err
	}
	shallow, err := readShallow(filepath.Join(at.common, "shallow"))
	if err != nil {
		return nil, err
	}
	refs, objects, err := openStorage(at)
	if err != nil {
		return nil, err
	}
	at.workTree = settings.workTree(at)
	var graph *packstore.CommitGraph
	if len(shallow) == 0 { // it was made before the history was cut off
		graph = packstore.OpenCommitGraph(objects.loose)
	}
	return &Repo{
		at: at, config: settings, files: filesOf(at), refs: refs, objects: objects, shallow: shallow,
		graph: graph, trees: &sharedTrees{}, walked: new(walkedGraph),
	}, nil
}

// Close gives back what the repository holds open and in memory. Nothing may
// be read from it any more.
func (r *Repo) Close() error { return errors.Join(r.objects.close(), r.graph.Close()) }

// WorkTree gives the work tree's root directory; "" for a bare repository.
func (r *Repo) WorkTree() string { return r.at.workTree }

// GitDir gives the git directory of this work tree: the one with its HEAD.
func (r *Repo) GitDir() string { return r.at.own }

// CommonDir gives the git directory that all work trees share: the one with
// the references, the configuration, the hooks and the objects.
func (r *Repo) CommonDir() string { return r.at.common }

// Shallow says whether the clone left out a part of the history, so that
// `git fetch --deepen` can bring more.
func (r *Repo) Shallow() bool { return len(r.shallow) > 0 }

// RemoteURL gives a remote's first URL as the repository's configuration has
// it (url.*.insteadOf isn't applied), or "".
func (r *Repo) RemoteURL(remote string) (string, error) {
	return r.config.first("remote", remote, "url"), nil
}

// workTree gives the root of the work tree that a layout belongs to.
func (c config) workTree(at layout) string {
	if at.own != at.common {
		return linkedWorkTree(at)
	}
	if set := c.get("core", "", "worktree"); set != "" {
		if filepath.IsAbs(set) {
			return filepath.Clean(set)
		}
		return filepath.Join(at.own, set)
	}
	if isTrue(c.get("core", "", "bare")) {
		return ""
	}
	if at.workTree == "" && filepath.Base(at.own) == ".git" {
		return filepath.Dir(at.own)
	}
	return at.workTree
}

// linkedWorkTree gives the work tree that a linked git directory names, if it
// was opened by that directory.
func linkedWorkTree(at layout) string {
	if at.workTree != "" {
		return at.workTree
	}
	text, err := readControl(filepath.Join(at.own, "gitdir"))
	if err != nil {
		return ""
	}
	dotGit := strings.TrimRight(text, "\r\n")
	if !filepath.IsAbs(dotGit) {
		dotGit = filepath.Join(at.own, dotGit)
	}
	return filepath.Dir(dotGit)
}

// readShallow reads the list of commits whose parents were left out.
func readShallow(path string) (map[boundary.OID]bool, error) {
	text, err := readControl(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	shallow := map[boundary.OID]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		id, ok := boundary.ParseOID(line)
		if !ok {
			return nil, &ConfigError{File: path, Why: "a line is no object id; run `git fetch --unshallow`"}
		}
		shallow[id] = true
	}
	return shallow, nil
}
