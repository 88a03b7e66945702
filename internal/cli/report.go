package cli

import (
	"io"
	"sync"

	"github.com/fleetgate/fleetgate/builtins"
	"github.com/fleetgate/fleetgate/internal/discover"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// reportFormats are what --format offers for a verdict; the first is the default.
var reportFormats = []string{"text", "json", "github", "markdown", "sarif", "junit", "html", "intoto"}

// writeReport writes a verdict in one of reportFormats; style is that of text.
func writeReport(w io.Writer, v *verdict.Verdict, format string, style report.Style) error {
	if format == "text" {
		return style.Text(w, *v)
	}
	write, ok := report.Lookup(format)
	if !ok {
		return usagef("unknown --format %q", format)
	}
	return write(w, *v)
}

// writePicture draws one fleet as Mermaid, DOT or SVG.
func writePicture(w io.Writer, picture verdict.Fleet, format string) error {
	return writeReport(w, &verdict.Verdict{Fleets: []verdict.Fleet{picture}}, format, report.Style{})
}

// builtinRoot is that of the recipes and fleets that come with the gate. They
// are read beside other work from the first call on, and once.
var builtinRoot = sync.OnceValue(func() discover.Root { return discover.Builtin(builtins.FS, builtins.Path) })
