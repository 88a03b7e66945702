package gitrepo

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	format "github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// Entry implements boundary.Trees. The empty path is the tree itself. A path
// that goes through something that is no directory has no entry.
func (r *Repo) Entry(tree boundary.OID, path string) (boundary.Entry, error) {
	at := boundary.Entry{Mode: boundary.Dir, OID: tree}
	for done := 0; done < len(path); {
		if at.Mode != boundary.Dir {
			return boundary.Entry{}, nil
		}
		t, err := r.tree(at.OID, trimSlash(path[:done]))
		if err != nil {
			return boundary.Entry{}, err
		}
		name, _, more := strings.Cut(path[done:], "/")
		at = t.entryNamed(name)
		done += len(name)
		if more {
			done++
			if done == len(path) {
				return boundary.Entry{}, nil // an entry's name holds no slash
			}
		}
	}
	return at, nil
}

// entryNamed gives the entry of a name, of whatever kind.
func (t *tree) entryNamed(name string) boundary.Entry {
	if file := t.find([]byte(name), false); file != (boundary.Entry{}) {
		return file
	}
	return t.find([]byte(name), true)
}

// Blob implements boundary.Trees. A larger blob is a LimitError; it isn't read.
func (r *Repo) Blob(id boundary.OID, limit int64) ([]byte, error) {
	return r.objects.read(id, plumbing.BlobObject, limit)
}

// gitmodules is the file that declares submodules, at the root of a tree.
const gitmodules = ".gitmodules"

// maxGitmodules is the largest .gitmodules that declares anything, in bytes.
const maxGitmodules = 1 << 20

// Submodules implements boundary.Trees. A .gitmodules that is no regular file,
// is larger than 1 MiB, or isn't in git's configuration format declares
// nothing, so that every submodule counts as undeclared.
func (r *Repo) Submodules(tree boundary.OID) (map[string]bool, error) {
	declared := map[string]bool{}
	entry, err := r.Entry(tree, gitmodules)
	if err != nil {
		return nil, err
	}
	if entry.Mode != boundary.Regular && entry.Mode != boundary.Executable {
		return declared, nil
	}
	size, err := r.objects.size(entry.OID)
	if err != nil {
		return nil, placed(err, gitmodules)
	}
	if size > maxGitmodules {
		return declared, nil
	}
	text, err := r.Blob(entry.OID, maxGitmodules)
	if err != nil {
		return nil, placed(err, gitmodules)
	}
	decoded, err := decodeConfigText(string(text))
	if err != nil {
		return declared, nil
	}
	return submodulePaths(decoded), nil
}

func submodulePaths(decoded *format.Config) map[string]bool {
	declared := map[string]bool{}
	for _, section := range decoded.Sections {
		if !strings.EqualFold(section.Name, "submodule") {
			continue
		}
		for _, module := range section.Subsections {
			path := ""
			for _, option := range module.Options {
				if strings.EqualFold(option.Key, "path") {
					path = strings.TrimRight(option.Value, "/")
				}
			}
			if path != "" {
				declared[path] = true
			}
		}
	}
	return declared
}
