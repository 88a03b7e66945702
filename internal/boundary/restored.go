package boundary

// restored says whether head has a path as base has it, and a commit that is
// no merge has put it so. In a malformed tree a path may stand where nobody who
// looks it up finds it, for instance as one name with a slash.
func (w *work) restored(path string) (bool, error) {
	setters := w.setters(path)
	if len(setters) == 0 {
		return false, nil
	}
	last := setters[len(setters)-1]
	if len(w.in.Range.Commits[last].Parents) > 1 || len(w.in.History.Deltas[last].Malformed) > 0 {
		return false, nil
	}
	return w.headIsBase(path)
}

// setters lists the commits of the range that set a path, oldest first.
func (j *judge) setters(path string) []int {
	if j.touched == nil {
		j.touched = map[string][]int{}
		for i, delta := range j.in.History.Deltas {
			for _, c := range delta.Changes {
				j.touched[c.Path] = append(j.touched[c.Path], i)
			}
			for _, d := range delta.Decisions {
				j.touched[d.Path] = append(j.touched[d.Path], i)
			}
		}
	}
	return j.touched[path]
}

// headIsBase says whether a path's entry, or its absence, at head is that of
// base tip, or of every merge base (of the empty tree where there is none).
func (j *judge) headIsBase(path string) (bool, error) {
	head, err := j.entry(j.in.Range.Head, path)
	if err != nil {
		return false, err
	}
	tip, err := j.entry(j.in.BaseTip, path)
	if err != nil || tip == head {
		return err == nil, err
	}
	if len(j.in.Range.MergeBases) == 0 {
		return head == Entry{}, nil
	}
	for _, base := range j.in.Range.MergeBases {
		entry, err := j.entry(base, path)
		if err != nil || entry != head {
			return false, err
		}
	}
	return true, nil
}

// entry gives what stands at a path in a commit's tree.
func (j *judge) entry(commit OID, path string) (Entry, error) {
	tree, err := j.treeOf(commit)
	if err != nil {
		return Entry{}, err
	}
	return j.in.Trees.Entry(tree, path)
}

// treeOf gives a commit's tree, in the range or outside it.
func (j *judge) treeOf(commit OID) (OID, error) {
	if tree, known := j.trees[commit]; known {
		return tree, nil
	}
	tree, err := j.in.TreeOf(commit)
	if err == nil {
		j.trees[commit] = tree
	}
	return tree, err
}
