// Command bench measures the gate against git on any local clone, and makes
// synthetic repositories to measure it on.
//
//	go run ./bench generate KIND DIR        # files, commits, deep or wide
//	go run ./bench measure [flags] NAME=DIR …
//
// Each measurement first checks that the gate looked at the commits that git
// lists, and that both list the same changes; a table of another answer is
// worth nothing. Then the two run in turn. Ratios are of medians.
package main

import (
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

func run(args []string) error {
	if len(args) == 3 && args[0] == "generate" {
		return generate(args[1], args[2])
	}
	if len(args) == 0 || args[0] != "measure" {
		return fmt.Errorf("usage: bench generate KIND DIR | bench measure [flags] NAME=DIR …")
	}
	flags := flag.NewFlagSet("measure", flag.ContinueOnError)
	runs := flags.Int("n", 7, "how often each command runs, beside one run to warm up")
	write := flags.String("write", "", "write the table to this `FILE` too")
	gate := flags.String("gate", "", "the fleetgate `BINARY`; empty: built from here")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	b := &bench{runs: *runs, gate: *gate}
	if err := b.build(); err != nil {
		return err
	}
	defer b.close()
	for _, arg := range flags.Args() {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q isn't NAME=DIR", arg)
		}
		if err := b.repository(name, dir); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := b.startUp(); err != nil {
		return err
	}
	page := b.page()
	fmt.Fprint(os.Stdout, page)
	if *write == "" {
		return nil
	}
	return os.WriteFile(*write, []byte(page), 0o644)
}
