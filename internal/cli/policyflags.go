package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/gate"
	"github.com/fleetgate/fleetgate/internal/policy"
)

// policyFlags say which policy is read besides the project's own.
type policyFlags struct {
	roots    []string
	external string
}

// add declares the flags. It begins to read the builtins, too, which a command
// with these flags will want.
func (f *policyFlags) add(c *cobra.Command) {
	builtinRoot()
	c.Flags().StringArrayVar(&f.roots, "root", nil, "read a further `ROOT`: user, or plugin:NAME=DIR (repeatable)")
	c.Flags().StringVar(&f.external, "external-agents", "", "a settings `FILE` whose integrations.externalAgents.entries count as agents")
}

// policyOptions gives what every command that reads policy hands to the gate.
func (a *app) policyOptions(f *policyFlags) (gate.Options, error) {
	if err := a.checkFolder(); err != nil {
		return gate.Options{}, err
	}
	options := gate.Options{Dir: a.repo, Tool: toolVersion(), Roots: []discover.Root{builtinRoot()}}
	for _, word := range f.roots {
		root, err := a.parseRoot(word)
		if err != nil {
			return gate.Options{}, err
		}
		options.Roots = append(options.Roots, root...)
	}
	var err error
	options.External, err = readExternal(f.external)
	return options, err
}

// checkFolder refuses a --repo that isn't a folder: whatever lies above a
// misspelt one must not be judged in its place.
func (a *app) checkFolder() error {
	info, err := os.Stat(a.repo)
	if err != nil {
		return usagef("--repo %s: %v", a.repo, reasonOf(err))
	}
	if !info.IsDir() {
		return usagef("--repo %s is not a folder", a.repo)
	}
	return nil
}

// parseRoot reads one --root. A user without a configuration folder has no root.
func (a *app) parseRoot(word string) ([]discover.Root, error) {
	if word == "user" {
		dir, err := a.userFolder()
		if err != nil {
			return nil, err
		}
		root, err := openRoot(policy.User, "", dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return root, err
	}
	plugin, isPlugin := strings.CutPrefix(word, "plugin:")
	name, dir, _ := strings.Cut(plugin, "=")
	if !isPlugin || name == "" || dir == "" {
		return nil, usagef("--root %q: write user, or plugin:NAME=DIR", word)
	}
	root, err := openRoot(policy.Plugin, name, dir)
	if err != nil {
		return nil, usagef("--root %s: %v", word, reasonOf(err))
	}
	return root, nil
}

// userFolder is where the runtime keeps the user's own policy (spec section 3.5).
func (a *app) userFolder() (string, error) {
	if dir := a.getenv("CLIO_CODER_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	if dir := a.getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "clio-coder"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", usagef("--root user: %v: set CLIO_CODER_CONFIG_DIR", err)
	}
	return filepath.Join(home, ".config", "clio-coder"), nil
}

// openRoot opens a folder so that nothing outside it can be read through its
// links. Findings name it by what it is, never by where it lies on this machine.
func openRoot(source policy.Source, name, dir string) ([]discover.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	shown := string(source) + ":" + name
	return []discover.Root{{Source: source, Name: name, FS: root.FS(), Path: shown}}, nil
}

func readExternal(path string) ([]discover.ExternalAgent, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readBounded(path, discover.MaxFileBytes)
	if err != nil {
		return nil, usagef("--external-agents %s can't be read: %v", path, reasonOf(err))
	}
	agents, found := discover.ParseExternalAgents(filepath.ToSlash(path), text)
	if diag.HasError(found) {
		return nil, &gate.UsageError{
			Message: "--external-agents " + found[0].Pos.String() + ": " + found[0].Message,
			Hint:    found[0].Hint,
			Found:   found,
		}
	}
	return agents, nil
}

// readBounded reads a file up to one byte over limit: its reader refuses what is longer.
func readBounded(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit+1))
}
