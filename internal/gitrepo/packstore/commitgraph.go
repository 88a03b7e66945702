package packstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// CommitGraph is the commit-graph of a repository: what a walk needs to know
// of most commits, without inflating them. It is one file, or a chain of them.
type CommitGraph struct {
	layers []*graphLayer // the oldest first
	count  int64         // of the commits in all of them
}

// graphLayer is one commit-graph file.
type graphLayer struct {
	data    *file
	ids     table
	before  int64 // how many commits the older layers have
	commits int64 // where the commits begin
	edges   span  // further parents
}

// GraphCommit is what the commit-graph says of a commit.
type GraphCommit struct {
	Tree    ID
	Parents []ID
	Date    int64 // the committer's, in seconds, of which 34 bits are kept
}

const (
	graphHeader = 8
	graphCommit = idBytes + 16 // tree, two parents, generation and date
	noParent    = 0x70000000
	moreParents = 1 << 31
	// MaxGraphLayers is how many files a chain may have; git merges them long before.
	MaxGraphLayers = 256
	// MaxGraphParents is how many parents of a commit are read from the graph.
	MaxGraphParents = 1000
)

// OpenCommitGraph opens the commit-graph of the first of the object folders that
// has one; nil where none has, or where it can't be read: whoever asks reads
// the commits themselves then.
func OpenCommitGraph(objectDirs []string) *CommitGraph {
	for _, dir := range objectDirs {
		paths, err := graphFiles(dir, objectDirs)
		if err != nil {
			return nil
		}
		if len(paths) == 0 {
			continue
		}
		g, err := openLayers(paths)
		if err != nil {
			return nil
		}
		return g
	}
	return nil
}

// graphFiles lists the files of a folder's commit-graph, the oldest first.
func graphFiles(dir string, objectDirs []string) ([]string, error) {
	single := filepath.Join(dir, "info", "commit-graph")
	if _, err := os.Stat(single); err == nil {
		return []string{single}, nil
	}
	chain, err := os.Open(filepath.Join(dir, "info", "commit-graphs", "commit-graph-chain"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer chain.Close()
	const line = 2*idBytes + 1
	text, err := io.ReadAll(io.LimitReader(chain, MaxGraphLayers*line))
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range strings.Fields(string(text)) {
		path, ok := layerPath(name, objectDirs)
		if !ok {
			return nil, fmt.Errorf("the commit-graph lacks its layer %.40q", name)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// layerPath finds a layer, which may lie in an alternate.
func layerPath(name string, objectDirs []string) (string, bool) {
	if len(name) != 2*idBytes || strings.Trim(name, "0123456789abcdef") != "" {
		return "", false
	}
	for _, dir := range objectDirs {
		path := filepath.Join(dir, "info", "commit-graphs", "graph-"+name+".graph")
		if _, err := os.Stat(path); err == nil {
			return path, true
		}
	}
	return "", false
}

func openLayers(paths []string) (*CommitGraph, error) {
	g := &CommitGraph{}
	for _, path := range paths {
		data, err := openFile(path)
		if err != nil {
			return nil, errors.Join(err, g.Close())
		}
		layer, err := readLayer(data, g.count)
		if err != nil {
			return nil, errors.Join(err, data.close(), g.Close())
		}
		g.layers = append(g.layers, layer)
		g.count += layer.ids.count()
	}
	return g, nil
}

func readLayer(data *file, before int64) (*graphLayer, error) {
	head, err := data.slice(0, graphHeader)
	if err != nil || !bytes.Equal(head[:6], []byte("CGPH\x01\x01")) {
		return nil, data.malformed("is not a commit-graph of version 1 with SHA-1")
	}
	chunks, err := readChunks(data, graphHeader, int(head[6]))
	if err != nil {
		return nil, err
	}
	layer := &graphLayer{data: data, before: before, edges: chunks["EDGE"]}
	if layer.ids, err = readTable(data, chunks["OIDF"].start); err != nil {
		return nil, err
	}
	n, ids, commits := layer.ids.count(), chunks["OIDL"], chunks["CDAT"]
	if ids.end-ids.start != n*idBytes || commits.end-commits.start != n*graphCommit {
		return nil, data.malformed("has chunks that do not fit %d commits", n)
	}
	layer.ids.start, layer.commits = ids.start, commits.start
	return layer, nil
}

// Close unmaps the files.
func (g *CommitGraph) Close() error {
	if g == nil {
		return nil
	}
	var errs []error
	for _, layer := range g.layers {
		errs = append(errs, layer.data.close())
	}
	return errors.Join(errs...)
}

// Commit gives what the graph says of a commit, if it has it and says it
// without contradiction. It may be asked of no graph at all.
func (g *CommitGraph) Commit(id ID) (GraphCommit, bool) {
	if g == nil {
		return GraphCommit{}, false
	}
	for i := len(g.layers) - 1; i >= 0; i-- {
		layer := g.layers[i]
		if at, found := layer.ids.position(id); found {
			return g.commitAt(layer, at)
		}
	}
	return GraphCommit{}, false
}

func (g *CommitGraph) commitAt(layer *graphLayer, at int64) (GraphCommit, bool) {
	raw, err := layer.data.slice(layer.commits+at*graphCommit, graphCommit)
	if err != nil {
		return GraphCommit{}, false
	}
	numbers := raw[idBytes:]
	c := GraphCommit{
		Tree: ID(raw[:idBytes]),
		Date: int64(binary.BigEndian.Uint64(numbers[8:]) & (1<<34 - 1)),
	}
	first, second := binary.BigEndian.Uint32(numbers), binary.BigEndian.Uint32(numbers[4:])
	if first == noParent {
		return c, second == noParent
	}
	c.Parents = make([]ID, 0, 2)
	if !g.addParent(&c, layer, first) {
		return GraphCommit{}, false
	}
	switch {
	case second == noParent:
		return c, true
	case second&moreParents == 0:
		return c, g.addParent(&c, layer, second)
	}
	return c, g.addParents(&c, layer, second&^moreParents)
}

// addParents adds the parents from the second on, where there are more than two.
func (g *CommitGraph) addParents(c *GraphCommit, layer *graphLayer, from uint32) bool {
	for at := layer.edges.start + 4*int64(from); at+4 <= layer.edges.end && len(c.Parents) < MaxGraphParents; at += 4 {
		raw, err := layer.data.slice(at, 4)
		if err != nil {
			return false
		}
		edge := binary.BigEndian.Uint32(raw)
		if !g.addParent(c, layer, edge&^moreParents) {
			return false
		}
		if edge&moreParents != 0 {
			return true
		}
	}
	return false
}

// addParent adds a parent by its number, in this layer or an older one.
func (g *CommitGraph) addParent(c *GraphCommit, layer *graphLayer, number uint32) bool {
	at := int64(number)
	if at >= layer.before+layer.ids.count() {
		return false
	}
	for i := len(g.layers) - 1; i >= 0; i-- {
		if g.layers[i].before > at {
			continue
		}
		id, err := g.layers[i].ids.at(at - g.layers[i].before)
		if err != nil {
			return false
		}
		c.Parents = append(c.Parents, ID(id))
		return true
	}
	return false
}
