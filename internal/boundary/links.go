package boundary

import "strings"

const (
	// MaxLinkTarget is the longest target, in bytes, that a symbolic link may
	// have; a system would refuse to make a longer one, so it leads nowhere known.
	MaxLinkTarget = 4096
	// MaxLinkHops is how many links one target may pass through.
	MaxLinkHops = 40

	linkReadLimit = 1 << 20 // bytes of a link's blob that are read at all
	longestPath   = 4096    // bytes; gitrepo.MaxPath, beyond which nothing is judged
)

// links follows symbolic links inside one tree, without a file system.
type links struct {
	trees Trees
	tree  OID
}

// leaves says whether the link at path leads to a place that inside doesn't
// accept: by its text alone, or through other links of the tree. A target with
// backslashes is read both ways, because Windows takes them for separators; one
// with a NUL is cut short there where the link is made, so it leads nowhere known.
func (l links) leaves(path string, link OID, inside func(string) bool) (target string, left bool, err error) {
	blob, err := l.trees.Blob(link, linkReadLimit)
	if err != nil {
		return "", false, err
	}
	target = string(blob)
	if len(target) > MaxLinkTarget || hasNUL(target) {
		return target, true, nil
	}
	left, err = l.targetLeaves(path, target, inside)
	if left || err != nil || !strings.Contains(target, `\`) {
		return target, left, err
	}
	left, err = l.targetLeaves(path, strings.ReplaceAll(target, `\`, "/"), inside)
	return target, left, err
}

func (l links) targetLeaves(path, target string, inside func(string) bool) (bool, error) {
	dir := parentSegments(path)
	end, ok := resolveText(dir, target)
	if !ok || !inside(end) {
		return true, nil
	}
	end, ok, err := l.resolve(dir, target)
	return !ok || !inside(end), err
}

// parentSegments gives the segments of the directory that path lies in.
func parentSegments(path string) []string {
	segments := strings.Split(path, "/")
	return segments[:len(segments)-1]
}

// resolveText resolves a target by its text alone; ok is false where it
// leaves the repository.
func resolveText(dir []string, target string) (end string, ok bool) {
	if isRooted(target) {
		return "", false
	}
	at := append([]string{}, dir...)
	for segment := range strings.SplitSeq(target, "/") {
		if at, ok = step(at, segment); !ok {
			return "", false
		}
	}
	return strings.Join(at, "/"), true
}

// isRooted says whether a target starts at a file system's root or at a drive.
func isRooted(target string) bool { return target != "" && absolutePrefix(target) != "" }

func hasNUL(target string) bool { return strings.IndexByte(target, 0) >= 0 }

// step goes one segment further; ok is false where that climbs out of the
// repository, or into its .git, which is no part of the tree.
func step(at []string, segment string) (next []string, ok bool) {
	switch {
	case segment == "" || segment == ".":
		return at, true
	case segment == "..":
		if len(at) == 0 {
			return nil, false
		}
		return at[:len(at)-1], true
	case IsDotGit(segment):
		return nil, false
	}
	return append(at, segment), true
}

// resolve follows a target as a file system would: each segment that is a link
// of the tree is replaced by what it points to. ok is false where that leaves
// the repository, never ends, or goes up from what is no directory of the tree:
// if that is a link one day, or is one by a name in other letters, nobody knows
// where it goes up from.
func (l links) resolve(dir []string, target string) (end string, ok bool, err error) {
	at := append([]string{}, dir...)
	pending := strings.Split(target, "/")
	leaf := noLeaf // how deep the walk met something that has nothing under it
	for hops := 0; len(pending) > 0; {
		segment := pending[0]
		pending = pending[1:]
		next, ok := step(at, segment)
		if !ok || segment == ".." && len(at) >= leaf {
			return "", false, nil
		}
		if !isName(segment) || len(next) > leaf {
			at = next
			continue
		}
		entry, err := l.trees.Entry(l.tree, strings.Join(next, "/"))
		if err != nil {
			return "", false, err
		}
		if entry.Mode != Symlink {
			at, leaf = next, leafDepth(entry, len(next))
			continue
		}
		through, err := l.trees.Blob(entry.OID, linkReadLimit)
		if err != nil {
			return "", false, err
		}
		if hops++; hops > MaxLinkHops || len(through) > MaxLinkTarget || hasNUL(string(through)) || isRooted(string(through)) {
			return "", false, nil
		}
		at, leaf = next[:len(next)-1], noLeaf
		pending = append(strings.Split(string(through), "/"), pending...)
	}
	return strings.Join(at, "/"), true, nil
}

// noLeaf is deeper than any path.
const noLeaf = 1 << 30

// leafDepth gives the depth below which nothing needs to be looked up.
func leafDepth(entry Entry, depth int) int {
	if entry.Mode == Dir {
		return noLeaf
	}
	return depth
}

// isName says whether a segment goes down, rather than up or nowhere.
func isName(segment string) bool { return segment != "" && segment != "." && segment != ".." }

// LinkOnEntry gives the symbolic link that an allowlist entry passes through,
// or "". An entry that names exactly a link doesn't pass through it.
//
// A path that is longer than any difference may name is not looked for: an
// entry of half a million slashes would be as many look-ups.
func LinkOnEntry(entry string, isLink func(path string) (bool, error)) (string, error) {
	for at, c := range entry[:min(len(entry), longestPath+1)] {
		if c != '/' {
			continue
		}
		if found, err := isLink(entry[:at]); err != nil || found {
			return entry[:at], err
		}
	}
	return "", nil
}
