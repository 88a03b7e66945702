package main

import (
	"fmt"
	"strings"
	"time"
)

// aim is the most that a row should take; zero is no aim.
type aim struct {
	time      float64 // times the other's
	peakRatio float64 // times the other's
	peak      int64   // bytes
}

// Sizes from which on the aims of ranges hold.
const (
	manyFiles = 5_000
	mostFiles = 500_000
)

// ranges are the lengths of the ranges that are measured, in commits, each with
// how many files a repository must have for it, and for its aim.
var ranges = []struct {
	commits, files, aimFiles int
	aim                      aim
}{
	{commits: 1, aimFiles: manyFiles, aim: aim{time: 2}},
	{commits: 20, aim: aim{time: 1.5}},
	{commits: 200, aim: aim{time: 1}},
	{commits: 1000, aim: aim{time: 0.9, peakRatio: 1.5}},
	{commits: 2000, files: mostFiles, aim: aim{time: 0.6, peak: 160 << 20}},
	{commits: 5000, aim: aim{time: 0.7}},
}

// Aims of the other rows.
var (
	aheadAim        = aim{time: 1.4} // a base that is far ahead
	aheadInGraphAim = aim{time: 2}   // the same with a commit-graph
	recipesAim      = aim{time: 0.12}
	startAim        = aim{time: 2.5}
)

// cell says what a row should take at most, and whether it took more.
func (r row) cell() string {
	var parts []string
	add := func(text string, missed bool) {
		if missed {
			text += " **missed**"
		}
		parts = append(parts, text)
	}
	if most := r.aim.time; most > 0 {
		add(fmt.Sprintf("%.3g", most), ratio(r.ours.wall, r.theirs.wall) > most)
	}
	if most := r.aim.peakRatio; most > 0 {
		add(fmt.Sprintf("peak %.3g times", most), ratio(r.ours.peak, r.theirs.peak) > most)
	}
	if most := r.aim.peak; most > 0 {
		add("peak "+mebibytes(most), r.ours.peak > most)
	}
	return strings.Join(parts, "; ")
}

func ratio[T int64 | time.Duration](a, b T) float64 { return float64(a) / float64(max(b, 1)) }
