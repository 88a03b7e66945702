package drift

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// The bounds of one lock.
const (
	// MaxLockBytes is the largest lock that is read, and that is written.
	MaxLockBytes = 4 << 20
	// MaxLockFindings is how many damaged lines of one lock are named.
	MaxLockFindings = 100
)

// ReadLock reads the lock of a tree; there is false where there is none. A
// lock that can't be used is a finding. An error means that it could not be
// read.
func ReadLock(project fs.FS) (lock Lock, found []diag.Diagnostic, there bool, err error) {
	info, err := fs.Lstat(project, LockPath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Lock{}, nil, false, nil
	case err != nil:
		return Lock{}, nil, true, fmt.Errorf("the lock: %w", err)
	case !info.Mode().IsRegular():
		return Lock{}, []diag.Diagnostic{damaged(0, "is no regular file")}, true, nil
	case info.Size() > MaxLockBytes:
		return Lock{}, []diag.Diagnostic{damaged(0, fmt.Sprintf("has %d bytes; at most %d are read", info.Size(), int64(MaxLockBytes)))}, true, nil
	}
	text, err := readLimited(project)
	if err != nil {
		return Lock{}, nil, true, fmt.Errorf("the lock: %w", err)
	}
	lock, found = ParseLock(string(text))
	return lock, found, true, nil
}

func readLimited(project fs.FS) ([]byte, error) {
	file, err := project.Open(LockPath)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxLockBytes))
}

// ParseLock reads a lock's text. A lock of an unknown version is refused by
// name (lock-version); every line that isn't one of a lock's is named
// (lock-damaged), and the rest is read.
func ParseLock(text string) (Lock, []diag.Diagnostic) {
	p := lockParser{fleets: map[string]int{}, positions: map[[2]string]int{}, seen: map[string]bool{}}
	first, rest, _ := strings.Cut(text, "\n")
	if refused := refusedVersion(strings.TrimSuffix(first, "\r")); refused != nil {
		return Lock{}, []diag.Diagnostic{*refused}
	}
	for text := range strings.Lines(rest) {
		p.line++
		p.read(strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
	}
	p.bind()
	if p.more > 0 {
		p.found = append(p.found, damaged(0, fmt.Sprintf("has %d more damaged lines", p.more)))
	}
	return p.lock, p.found
}

func refusedVersion(first string) *diag.Diagnostic {
	words, ok := fields(first)
	if !ok || len(words) != 2 || words[0] != lockWord {
		d := damaged(1, fmt.Sprintf("is %s, not the lock's version, %q", quote(first), lockWord+" "+strconv.Itoa(LockVersion)))
		return &d
	}
	if words[1] == strconv.Itoa(LockVersion) {
		return nil
	}
	d := diag.New("lock-version", diag.Pos{File: LockPath, Line: 1}, "", fmt.Sprintf("the lock's version %s is unknown; this fleetgate reads version %d", quote(words[1]), LockVersion)).
		WithHint("use the fleetgate that wrote it, or look at the policy and write the lock anew with `fleetgate lock`")
	return &d
}

// damaged is a finding about a line of the lock, or about the lock (line 0).
func damaged(line int, says string) diag.Diagnostic {
	subject := "the lock "
	if line > 0 {
		subject = fmt.Sprintf("the lock's line %d ", line)
	}
	return diag.New("lock-damaged", diag.Pos{File: LockPath, Line: line}, "", subject+says).
		WithHint("look at what the policy is now, and write the lock anew with `fleetgate lock`")
}

type lockParser struct {
	lock      Lock
	line      int // 1-based of the lines after the first
	fleets    map[string]int
	positions map[[2]string]int // of pending, by fleet and position
	pending   []pendingPosition // until every fleet is known
	seen      map[string]bool   // lines that may stand once
	found     []diag.Diagnostic // the first MaxLockFindings
	more      int               // damaged lines besides
}

type pendingPosition struct {
	fleet string
	at    LockedPosition
}

func (p *lockParser) at() int { return p.line + 1 }

func (p *lockParser) refuse(says string, args ...any) { p.refuseAt(p.at(), says, args...) }

func (p *lockParser) refuseAt(line int, says string, args ...any) {
	if len(p.found) == MaxLockFindings {
		p.more++
		return
	}
	p.found = append(p.found, damaged(line, fmt.Sprintf(says, args...)))
}

// facts are the kinds of line: how many fields each has, and what reads them.
var facts = map[string]struct {
	least, most int
	read        func(*lockParser, []string)
}{
	toolWord:     {2, 2, (*lockParser).tool},
	recipeWord:   {5, 5, (*lockParser).recipe},
	fleetWord:    {4, 4, (*lockParser).fleet},
	boundaryWord: {3, 4, (*lockParser).boundary},
	commandWord:  {3, 3, (*lockParser).command},
}

func (p *lockParser) read(text string) {
	if strings.HasPrefix(text, "#") {
		return
	}
	words, ok := fields(text)
	if !ok {
		p.refuse("can't be read: %s", quote(text))
		return
	}
	fact, known := facts[words[0]]
	switch {
	case !known:
		p.refuse("begins with %s; a line of a lock begins with boundary, command, fleet, recipe or tool", quote(words[0]))
	case len(words) < fact.least || len(words) > fact.most:
		p.refuse("has %d fields; a %s line has %d", len(words), words[0], fact.most)
	default:
		fact.read(p, words)
	}
}

// once refuses what an earlier line has said already.
func (p *lockParser) once(words ...string) bool {
	key := line(words...)
	if p.seen[key] {
		p.refuse("says %s a second time", quote(key))
		return false
	}
	p.seen[key] = true
	return true
}

func (p *lockParser) digest(text string) (digest string, ok bool) {
	digest, ok = strings.CutPrefix(text, digestMark)
	ok = ok && len(digest) == 64 && strings.Trim(digest, "0123456789abcdef") == ""
	if !ok {
		p.refuse("has %s where %sHEX belongs", quote(text), digestMark)
	}
	return digest, ok
}

func (p *lockParser) tool(words []string) {
	if p.once(toolWord) {
		p.lock.Tool = words[1]
	}
}

func (p *lockParser) recipe(words []string) {
	fingerprint, ok := p.digest(words[4])
	if !ok || !p.once(words[:2]...) {
		return
	}
	if policy.ClassRank(words[3]) >= policy.ClassRank("") { // an unknown class would rank above all
		p.refuse("has the class %s, which there isn't", quote(words[3]))
		return
	}
	p.lock.Recipes = append(p.lock.Recipes, LockedRecipe{ID: words[1], Path: words[2], Class: words[3], Fingerprint: fingerprint, Line: p.at()})
}

func (p *lockParser) fleet(words []string) {
	digest, ok := p.digest(words[3])
	if !ok || !p.once(words[:2]...) {
		return
	}
	version, err := strconv.Atoi(words[2])
	if err != nil || strconv.Itoa(version) != words[2] {
		p.refuse("has %s where the contract's version belongs", quote(words[2]))
		return
	}
	p.fleets[words[1]] = len(p.lock.Fleets)
	p.lock.Fleets = append(p.lock.Fleets, LockedFleet{Name: words[1], Version: version, Digest: digest, Line: p.at()})
}

func (p *lockParser) command(words []string) {
	digest, ok := p.digest(words[2])
	if ok && p.once(words[:2]...) {
		p.lock.Commands = append(p.lock.Commands, LockedCommand{ID: words[1], Digest: digest, Line: p.at()})
	}
}

func (p *lockParser) boundary(words []string) {
	if !p.once(words...) {
		return
	}
	key := [2]string{words[1], words[2]}
	i, known := p.positions[key]
	if !known {
		i = len(p.pending)
		p.positions[key] = i
		p.pending = append(p.pending, pendingPosition{words[1], LockedPosition{ID: words[2], Line: p.at()}})
	}
	p.pending[i].at.Allow = append(p.pending[i].at.Allow, words[3:]...)
}

// bind gives every position to its fleet, whose line sorts after theirs.
func (p *lockParser) bind() {
	for _, position := range p.pending {
		i, known := p.fleets[position.fleet]
		if !known {
			p.refuseAt(position.at.Line, "is about the fleet %s, which the lock doesn't list", quote(position.fleet))
			continue
		}
		p.lock.Fleets[i].Positions = append(p.lock.Fleets[i].Positions, position.at)
	}
}
