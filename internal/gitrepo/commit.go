package gitrepo

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// maxTime is the latest time that a signature is read as, the last day of the
// year 9999: later ones can't be written in the formats that reports use.
const maxTime = 253402214400

// header is what a walk needs of a commit.
type header struct {
	tree    boundary.OID
	parents []boundary.OID
	date    int64 // the committer's, in seconds
}

// Commit reads one commit. Lines are all of its parents.
func (r *Repo) Commit(id boundary.OID) (c boundary.Commit, err error) {
	err = r.objects.view(id, plumbing.CommitObject, MaxCommitBytes, func(raw []byte) (err error) {
		c, err = parseCommit(id, raw)
		return err
	})
	return c, err
}

func parseCommit(id boundary.OID, raw []byte) (boundary.Commit, error) {
	head, rest, err := parseHeader(id, raw)
	if err != nil {
		return boundary.Commit{}, err
	}
	fields, message := splitMessage(rest)
	return boundary.Commit{
		ID: id, Tree: head.tree, Parents: head.parents, Lines: head.parents,
		Author:    parseSignature(field(fields, "author")),
		Committer: parseSignature(field(fields, "committer")),
		Message:   string(message),
	}, nil
}

// TreeOf gives a commit's tree id.
func (r *Repo) TreeOf(commit boundary.OID) (boundary.OID, error) {
	head, err := r.header(commit)
	return head.tree, err
}

// header reads what a walk needs of a commit.
func (r *Repo) header(id boundary.OID) (head header, err error) {
	err = r.objects.view(id, plumbing.CommitObject, MaxCommitBytes, func(raw []byte) (err error) {
		head, err = walkHeader(id, raw)
		return err
	})
	return head, err
}

// walkHeader reads what a walk needs of a commit's bytes.
func walkHeader(id boundary.OID, raw []byte) (header, error) {
	head, rest, err := parseHeader(id, raw)
	if err != nil {
		return header{}, err
	}
	fields, _ := splitMessage(rest)
	committer := field(fields, "committer")
	if at := bytes.LastIndexByte(committer, '>'); at >= 0 {
		seconds, _ := parseSeconds(committer[at+1:])
		head.date = seconds
	}
	return head, nil
}

// parseHeader reads the tree and parent lines that begin a commit, and gives
// the rest of it.
func parseHeader(id boundary.OID, raw []byte) (header, []byte, error) {
	var head header
	var ok bool
	if head.tree, raw, ok = idLine(raw, "tree "); !ok {
		return header{}, nil, &CorruptError{ID: id, Kind: "commit", Why: "doesn't begin with a tree"}
	}
	for {
		parent, rest, ok := idLine(raw, "parent ")
		if !ok {
			break
		}
		if len(head.parents) == MaxParents {
			return header{}, nil, &LimitError{What: fmt.Sprintf("commit %s with its parents", id), Name: "MaxParents", Limit: MaxParents}
		}
		head.parents, raw = append(head.parents, parent), rest
	}
	if bytes.HasPrefix(raw, []byte("parent ")) {
		return header{}, nil, &CorruptError{ID: id, Kind: "commit", Why: "has a parent that is no object id"}
	}
	return head, raw, nil
}

// idLine reads one header line that names an object.
func idLine(raw []byte, prefix string) (boundary.OID, []byte, bool) {
	const digits = 40
	end := len(prefix) + digits
	if len(raw) <= end || raw[end] != '\n' || string(raw[:len(prefix)]) != prefix {
		return boundary.OID{}, raw, false
	}
	var id boundary.OID
	if _, err := hex.Decode(id[:], raw[len(prefix):end]); err != nil {
		return boundary.OID{}, raw, false
	}
	return id, raw[end+1:], true
}

// splitMessage splits a commit at the blank line that ends its header.
func splitMessage(raw []byte) (fields, message []byte) {
	if rest, ok := bytes.CutPrefix(raw, []byte("\n")); ok {
		return nil, rest
	}
	fields, message, _ = bytes.Cut(raw, []byte("\n\n"))
	return fields, message
}

// field gives the value of a header's first line of the given name.
func field(fields []byte, name string) []byte {
	for len(fields) > 0 {
		var line []byte
		line, fields, _ = bytes.Cut(fields, []byte("\n"))
		key, value, ok := bytes.Cut(line, []byte(" "))
		if ok && string(key) == name {
			return value
		}
	}
	return nil
}

// parseSignature reads `Name <email> seconds zone` as git does: the e-mail
// address ends at the first >, the time begins after the last one. What can't
// be read is empty, a time is the epoch.
func parseSignature(line []byte) boundary.Signature {
	name, rest, ok := bytes.Cut(line, []byte("<"))
	if !ok {
		return boundary.Signature{Name: string(bytes.TrimSpace(line)), When: time.Unix(0, 0).UTC()}
	}
	email, _, _ := bytes.Cut(rest, []byte(">"))
	return boundary.Signature{
		Name:  string(bytes.TrimSpace(name)),
		Email: string(email),
		When:  parseTime(rest[bytes.LastIndexByte(rest, '>')+1:]),
	}
}

// parseTime reads seconds since the epoch and a zone like +0130.
func parseTime(text []byte) time.Time {
	seconds, rest := parseSeconds(text)
	at := time.Unix(seconds, 0)
	words := bytes.Fields(rest)
	if len(words) == 0 {
		return at.UTC()
	}
	return at.In(parseZone(words[0]))
}

// parseSeconds reads the seconds since the epoch that begin the bytes, and
// gives what follows.
func parseSeconds(text []byte) (int64, []byte) {
	text = bytes.TrimLeft(text, spaces)
	end := bytes.IndexAny(text, spaces)
	if end < 0 {
		end = len(text)
	}
	seconds, err := strconv.ParseInt(string(text[:end]), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && seconds > maxTime:
		seconds = maxTime
	case err != nil, seconds < 0:
		seconds = 0
	}
	return seconds, text[end:]
}

// spaces part the words of a signature's end.
const spaces = " \t\n\v\f\r"

// zones are the time zones met so far, by their minutes east of UTC: at most
// twice as many as a day has minutes.
var zones sync.Map

// parseZone reads a zone like +0130; what no clock shows is UTC.
func parseZone(text []byte) *time.Location {
	const day = 24 * 60
	number, err := strconv.Atoi(string(text))
	if err != nil || len(text) != 5 || text[0] != '+' && text[0] != '-' {
		return time.UTC
	}
	minutes := number/100*60 + number%100
	if minutes == 0 || minutes <= -day || minutes >= day {
		return time.UTC
	}
	if known, ok := zones.Load(minutes); ok {
		return known.(*time.Location)
	}
	zone, _ := zones.LoadOrStore(minutes, time.FixedZone("", minutes*60))
	return zone.(*time.Location)
}
