package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() {
	scriptCommands["copies"] = copiesCommand
	scriptCommands["peakratio"] = peakratioCommand
}

// copiesCommand (copies N LIST DIR...) makes N repositories, copies of the
// given ones in turn, and a list of them.
func copiesCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 3, "copies N LIST DIR...")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var list strings.Builder
	for i := range n {
		from := args[2+i%(len(args)-2)]
		name := fmt.Sprintf("copies%d/%s-%03d", n, from, i)
		ts.Check(os.CopyFS(ts.MkAbs(name), os.DirFS(ts.MkAbs(from))))
		fmt.Fprintln(&list, name)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(list.String()), 0o644))
}

// peakratioCommand (peakratio MOST FEW MANY) compares the peaks of two runs
// that `exec measured` wrote down, and prints the ratio.
func peakratioCommand(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) != 3, "peakratio MOST FEW MANY")
	most, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	few, _ := readPeak(ts, ts.MkAbs(args[1]))
	many, _ := readPeak(ts, ts.MkAbs(args[2]))
	ratio := float64(many) / float64(few)
	ts.Logf("peak %d MiB against %d MiB: ratio %.2f, at most %.2f", many>>20, few>>20, ratio, most)
	if ratio > most && !raceDetector() {
		ts.Fatalf("the ratio is %.2f", ratio)
	}
}
