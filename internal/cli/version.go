package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const homepage = "https://github.com/fleetgate/fleetgate"

// version is set by release builds: -ldflags "-X …/internal/cli.version=v1.2.3".
var version string

// toolVersion is the version that goes into verdicts. It is a release's own
// number, or what `go install …@v1.2.3` recorded; a build in a work tree is
// "dev" whatever commit it was made from, so that a verdict's digest doesn't
// change with the state of that work tree.
func toolVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	return moduleVersion(info)
}

func moduleVersion(info *debug.BuildInfo) string {
	for _, setting := range info.Settings {
		if setting.Key == "vcs" {
			return "dev"
		}
	}
	if info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}

// revision is the commit of a work-tree build, for people; never part of a verdict.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, modified := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			modified = "+modified"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + modified
}

// versionData is what version's JSON has beside the envelope's tool.
type versionData struct {
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Revision string `json:"revision"` // of a work-tree build, else empty
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				a.format = "json"
			}
			return a.printVersion()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	return c
}

func (a *app) printVersion() error {
	format, err := a.choose("text", "json")
	if err != nil {
		return err
	}
	if format == "json" {
		return writeDocument(a.stdout, "version", versionData{runtime.Version(), runtime.GOOS, runtime.GOARCH, revision()}, nil)
	}
	return printVersionText(a.stdout)
}

func printVersionText(w io.Writer) error {
	line := fmt.Sprintf("fleetgate %s (%s %s/%s)", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if at := revision(); at != "" {
		line += " " + at
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
