package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fleetgate/fleetgate/internal/diag"
)

const rootLong = `fleetgate checks a repository that lets fleets of coding agents commit to it:
that the policy under .clio-coder/ is what the runtime would accept, and that
every commit that claims a fleet step stayed inside that step's write boundary.`

const rootExample = `  fleetgate demo                 # see a clean and a violating pull request judged
  fleetgate lint                 # is the policy of this folder sound?
  fleetgate check --base main    # did HEAD's commits stay inside their steps?
  fleetgate explain boundary-outside

Exit codes: 0 passed, 1 failed, 2 the command line or the configuration can't
be used, 3 undecided.`

// subcommand is a command by its name; make builds it with its flags.
type subcommand struct {
	name string
	make func() *cobra.Command
}

func (a *app) subcommands() []subcommand {
	return []subcommand{
		{"check", a.checkCommand},
		{"lint", a.lintCommand},
		{"list", a.listCommand},
		{"show", a.showCommand},
		{"explain", a.explainCommand},
		{"lock", a.lockCommand},
		{"audit", a.auditCommand},
		{"repos", a.reposCommand},
		{"merge", a.mergeCommand},
		{"result", a.resultCommand},
		{"trailer", a.trailerCommand},
		{"hook", a.hookCommand},
		{"demo", a.demoCommand},
		{"action", a.actionCommand},
		{"version", a.versionCommand},
	}
}

// rootFor builds the tree that a command line needs: where its first argument
// names a command, that one alone, since a run is short and flags by the
// hundred take longer to declare than some commands to run.
func (a *app) rootFor(args []string) *cobra.Command {
	c := a.bareRoot()
	all := a.subcommands()
	named := slices.IndexFunc(all, func(s subcommand) bool { return len(args) > 0 && s.name == args[0] })
	if named >= 0 {
		all = all[named : named+1]
	}
	for _, s := range all {
		c.AddCommand(s.make())
	}
	return c
}

// bareRoot is the command without subcommands.
func (a *app) bareRoot() *cobra.Command {
	var listCodes, showVersion bool
	c := &cobra.Command{
		Use:               "fleetgate",
		Short:             "Check what fleets of coding agents commit",
		Long:              rootLong,
		Example:           rootExample,
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			return unknownCommand(c, args[0])
		case listCodes:
			return a.listCodes()
		case showVersion:
			return a.printVersion()
		}
		return missingCommand(c)
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; see `%s --help`", err, c.CommandPath())
	})
	c.PersistentFlags().StringVar(&a.repo, "repo", ".", "the repository, or any `DIR` inside it")
	c.PersistentFlags().StringVar(&a.format, "format", "", "the `FORMAT` to print: text, json and what else a command offers")
	c.Flags().BoolVar(&listCodes, "list-codes", false, "list every code that a finding can have")
	c.Flags().BoolVar(&showVersion, "version", false, "print the version")
	c.SetHelpCommand(helpCommand(c))
	return c
}

// helpCommand is cobra's, but for a command that doesn't exist, which is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(about, args[len(args)-1])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// noneEmpty refuses flags that are there and say nothing, as a variable that
// isn't set leaves them: what is judged then would be another thing than meant.
func noneEmpty(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return usagef("--%s is empty; give it a value, or leave it out", name)
		}
	}
	return nil
}

// noArgs refuses arguments by name: a forgotten flag must not be dropped.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but got %q; see `%s --help`", c.CommandPath(), args[0], c.CommandPath())
	}
	return nil
}

// oneArg wants exactly one argument, which what describes.
func oneArg(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return usagef("%s wants %s; see `%s --help`", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// missingCommand: a gate that is called without a command must not look like a pass.
func missingCommand(c *cobra.Command) error {
	c.SetOut(c.ErrOrStderr())
	if err := c.Help(); err != nil {
		return err
	}
	return exitCode(ExitUsage)
}

func unknownCommand(c *cobra.Command, name string) error {
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return usagef("unknown command %q; %sthe commands are %s", name, diag.DidYouMean(name, known), strings.Join(known, ", "))
}

// choose gives the format to print in: the flag's, if the command offers it,
// or else the first offered.
func (a *app) choose(offered ...string) (string, error) {
	if a.format == "" {
		return offered[0], nil
	}
	if !slices.Contains(offered, a.format) {
		return "", usagef("unknown --format %q; %sthis command offers %s", a.format, diag.DidYouMean(a.format, offered), strings.Join(offered, ", "))
	}
	return a.format, nil
}

// say writes one line for people on standard output.
func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format+"\n", args...)
	return err
}

// warn writes one line on standard error; it changes no exit code.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.stderr, "fleetgate: warning: %s\n", plain(fmt.Sprintf(format, args...)))
}
