package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

func (a *app) demoCommand() *cobra.Command {
	var keep string
	var exitByVerdict bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Judge a clean and a violating pull request in a throw-away repository",
		Long: `Make a small repository with git, always the same to the last byte: a fleet
that may write docs/ and README.md, a pull request that stays inside, and one
that doesn't. Judge both exactly as check does.`,
		Example: "  fleetgate demo\n  fleetgate demo --keep /tmp/demo && fleetgate check --repo /tmp/demo",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			violating, err := a.demo(c.Context(), keep)
			if err != nil || !exitByVerdict {
				return err
			}
			return verdictExit(violating)
		},
	}
	c.Flags().StringVar(&keep, "keep", "", "make the repository in this new `DIR` and leave it there")
	c.Flags().BoolVar(&exitByVerdict, "exit-code", false, "exit as check would for the violating pull request")
	return c
}

// demo makes the repository, judges both pull requests and prints both
// verdicts. It gives the verdict of the violating one.
func (a *app) demo(ctx context.Context, keep string) (violating *verdict.Verdict, err error) {
	format, err := a.choose("text", "json")
	if err != nil {
		return nil, err
	}
	dir, again, err := demoFolder(keep)
	if err != nil {
		return nil, err
	}
	if keep == "" {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if err := a.makeDemo(ctx, dir); err != nil {
		return nil, err
	}
	good, err := demoCheck(ctx, dir, demoCleanBranch)
	if err != nil {
		return nil, err
	}
	bad, err := demoCheck(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	if format == "json" {
		return &bad, a.demoJSON(&good, &bad, again)
	}
	return &bad, a.demoText(&good, &bad, again)
}

// demoFolder gives the folder to make the repository in, which must be new or
// empty, and the command that judges it again.
func demoFolder(keep string) (dir, again string, err error) {
	if keep == "" {
		dir, err = os.MkdirTemp("", "fleetgate-demo-")
		return dir, "fleetgate demo --keep demo && fleetgate check --repo demo", err
	}
	if err := os.MkdirAll(keep, 0o777); err != nil {
		return "", "", usagef("--keep %s can't be made: %v", keep, reasonOf(err))
	}
	entries, err := os.ReadDir(keep)
	if err != nil {
		return "", "", usagef("--keep %s can't be read: %v", keep, reasonOf(err))
	}
	if len(entries) > 0 {
		return "", "", usagef("--keep %s is not empty: name a new folder", keep)
	}
	dir, err = filepath.Abs(keep)
	return dir, "fleetgate check --repo " + shellWord(keep), err
}

// shellWord quotes a word for sh where it needs it.
func shellWord(word string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+"
	if word != "" && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// demoCheck is what `fleetgate check [--head HEAD]` does in the folder.
func demoCheck(ctx context.Context, dir, head string) (verdict.Verdict, error) {
	return gate.Check(ctx, gate.Options{Dir: dir, Head: head, Tool: toolVersion()})
}

func (a *app) demoText(good, bad *verdict.Verdict, again string) error {
	if err := a.say("Fleet docs, step write, may write docs/ and README.md.\n\n== Pull request %s\n", demoCleanBranch); err != nil {
		return err
	}
	if err := writeReport(a.stdout, good, "text", a.style()); err != nil {
		return err
	}
	if err := a.say("\n== Pull request %s\n", demoViolatingBranch); err != nil {
		return err
	}
	if err := writeReport(a.stdout, bad, "text", a.style()); err != nil {
		return err
	}
	return a.say("\ndigest of %s: %s\nrun it again: %s", demoViolatingBranch, bad.Digest, plain(again))
}

func (a *app) demoJSON(good, bad *verdict.Verdict, again string) error {
	var clean, violating bytes.Buffer
	if err := errors.Join(good.WriteJSON(&clean), bad.WriteJSON(&violating)); err != nil {
		return err
	}
	return writeDocument(a.stdout, "demo", struct {
		Clean     json.RawMessage `json:"clean"`
		Violating json.RawMessage `json:"violating"`
		Digest    string          `json:"digest"`
		Again     string          `json:"again"`
	}{clean.Bytes(), violating.Bytes(), bad.Digest, again}, bad.Diagnostics)
}
