package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// hookName is the git hook that sees a commit's message before its author does.
const hookName = "prepare-commit-msg"

// hookScript is the hook itself: plain sh, and git's own interpret-trailers.
//
//go:embed prepare-commit-msg
var hookScript []byte

// hookLine does the least of what the hook does, for a hook that is there already.
const hookLine = `[ -z "${FLEET_STEP-}" ] || git interpret-trailers --in-place --no-divider --if-exists doNothing --trailer "Fleet-Step: $FLEET_STEP" "$1"`

func (a *app) hookCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Short: "Install or show the git hook that claims a step for an agent's commits",
		Long: `The ` + hookName + ` hook adds the trailer "Fleet-Step: $FLEET_STEP" to every
commit made while FLEET_STEP is set, so that an agent claims its step without
thinking of it.`,
		Example: "  fleetgate hook install\n  FLEET_STEP=docs/write git commit -m 'Describe the flags'",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return missingCommand(c)
		},
	}
	install := &cobra.Command{
		Use:   "install",
		Short: "Install the hook; a hook that is there already is left as it is",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.installHook(c.Context()) },
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Print the hook",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return a.showHook() },
	}
	c.AddCommand(install, show)
	return c
}

// hookData is the JSON of both hook commands.
type hookData struct {
	Hook      string `json:"hook"`
	Path      string `json:"path,omitempty"`
	Installed *bool  `json:"installed,omitempty"` // true where this run wrote it
	Script    string `json:"script,omitempty"`
}

func (a *app) showHook() error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	if format == "json" {
		return writeDocument(a.stdout, "hook", hookData{Hook: hookName, Script: string(hookScript)}, nil)
	}
	_, err = a.stdout.Write(hookScript)
	return err
}

func (a *app) installHook(ctx context.Context) error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	path, err := a.hookPath(ctx)
	if err != nil {
		return err
	}
	installed, err := writeHook(path)
	if err != nil {
		return err
	}
	if format == "json" {
		return writeDocument(a.stdout, "hook", hookData{Hook: hookName, Path: path, Installed: &installed}, nil)
	}
	if !installed {
		return a.say("%s is installed already", plain(path))
	}
	return a.say("installed %s; set FLEET_STEP to FLEET/POSITION when an agent commits", plain(path))
}

// hookPath asks git where hooks live: core.hooksPath, linked work trees and
// submodules are its business.
func (a *app) hookPath(ctx context.Context) (string, error) {
	if err := a.checkFolder(); err != nil {
		return "", err
	}
	at, err := runGit(ctx, a.repo, nil, "rev-parse", "--git-path", "hooks/"+hookName)
	if err != nil {
		return "", usagef("git doesn't say where the hooks of %s are: %v", a.repo, err)
	}
	if !filepath.IsAbs(at) {
		at = filepath.Join(a.repo, at)
	}
	return filepath.Clean(at), nil
}

// writeHook says whether it wrote the hook. One that is there already stays,
// whatever it is: if it isn't this one, the error says what to add to it.
func writeHook(path string) (installed bool, err error) {
	if _, err := os.Lstat(path); err == nil {
		return false, sameHook(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, usagef("the hooks folder %s can't be made (core.hooksPath names it): %v", filepath.Dir(path), reasonOf(err))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return false, sameHook(path)
	}
	if err != nil {
		return false, usagef("the hook %s can't be written: %v", path, reasonOf(err))
	}
	_, err = file.Write(hookScript)
	if err = errors.Join(err, file.Close(), os.Chmod(path, 0o755)); err != nil {
		return false, fmt.Errorf("the hook %s is not complete: %w", path, errors.Join(err, os.Remove(path)))
	}
	return true, nil
}

// sameHook accepts this version's hook, if git would run it.
func sameHook(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && string(text) == string(hookScript) {
		return os.Chmod(path, 0o755)
	}
	return usagef("there is a %s hook already, at %s: it is left as it is; add this line to it: %s", hookName, path, hookLine)
}
