// Command bench holds the gate against git, and against other programs, on any
// local clone.
//
//	go run ./bench generate KIND DIR           # files, commits, deep, wide, medium or recipes
//	go run ./bench measure [flags] NAME=DIR …  # how long, how much memory
//	go run ./bench equal NAME=DIR …            # every change list of the whole history
//	go run ./bench revlist [flags] NAME=DIR …  # the commits of random ranges
//
// Each measurement first checks that the gate looked at the commits that git
// lists, and that both list the same changes; a table of another answer is
// worth nothing. Then the two run in turn. Ratios are of medians.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: bench generate KIND DIR | bench measure [flags] NAME=DIR … | bench equal NAME=DIR … | bench revlist [flags] NAME=DIR …")

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	switch name, rest := args[0], args[1:]; name {
	case "generate":
		if len(rest) != 2 {
			return errUsage
		}
		return generate(rest[0], rest[1])
	case "measure":
		return measure(rest)
	case "equal":
		return equal(rest)
	case "revlist":
		return revlist(rest)
	}
	return errUsage
}

func measure(args []string) error {
	b := &bench{peers: map[string]string{}}
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	flags.IntVar(&b.runs, "n", 7, "how often each command runs, beside one run to warm up")
	flags.StringVar(&b.gate, "gate", "", "the fleetgate `BINARY`; empty: built from here, as a release is")
	write := flags.String("write", "", "write the table to this `FILE` too")
	flags.StringVar(&b.recipes, "recipes", "", "also measure reading the recipes of this `DIR`; needs -yaml")
	flags.StringVar(&b.yaml, "yaml", "", "the `DIR` of the npm package yaml")
	flags.Func("peer", "also measure another action's published script on the first repository: `NAME=SCRIPT`, of paths-filter or changed-files (repeatable)", func(text string) error {
		name, script, ok := strings.Cut(text, "=")
		if _, known := peers[name]; !ok || !known {
			return fmt.Errorf("%q isn't NAME=SCRIPT of a known name", text)
		}
		b.peers[name] = script
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	repositories, err := named(flags.Args())
	if err != nil {
		return err
	}
	page, err := b.measure(repositories)
	if err != nil {
		return err
	}
	fmt.Fprint(os.Stdout, page)
	if *write == "" {
		return nil
	}
	return os.WriteFile(*write, []byte(page), 0o644)
}

// clone is a repository to look at, and what it is called in reports.
type clone struct{ name, dir string }

// named reads arguments of the form NAME=DIR.
func named(args []string) ([]clone, error) {
	var all []clone
	for _, arg := range args {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok || name == "" || dir == "" {
			return nil, fmt.Errorf("%q isn't NAME=DIR", arg)
		}
		all = append(all, clone{name, dir})
	}
	return all, nil
}
