package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/report"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// writeDocument writes the JSON of a command that gives no verdict: data's
// members between the envelope's own.
func writeDocument(w io.Writer, command string, data any, found []diag.Diagnostic) error {
	return verdict.Envelope{Tool: toolVersion(), Command: command, Data: data, Diagnostics: found}.WriteJSON(w)
}

// writeError writes the JSON of a command that could not do its work.
func writeError(w io.Writer, command, message string, found []diag.Diagnostic) error {
	return writeDocument(w, command, struct {
		Error string `json:"error"`
	}{message}, found)
}

// style is how text looks on standard output: in colour and as wide as the
// window on a terminal that wants it, else plain.
func (a *app) style() report.Style {
	file, ok := a.stdout.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return report.Style{}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 0
	}
	return report.Style{Color: a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb", Width: width}
}

// publish writes a report to standard output or, with a one-line result there, to a file.
func (a *app) publish(v *verdict.Verdict, format, output string) error {
	if output == "" {
		return writeReport(a.stdout, v, format, a.style())
	}
	var text bytes.Buffer
	if err := writeReport(&text, v, format, report.Style{}); err != nil {
		return err
	}
	if err := writeFile(output, text.Bytes()); err != nil {
		return usagef("the report can't be written to --output %s: %v", output, reasonOf(err))
	}
	return a.say("%s: %s (report in %s)", v.Word, plain(v.Summary), plain(output))
}

// verdictExit is the exit code of a verdict; observe mode forgives a failed one only.
func verdictExit(v *verdict.Verdict) error {
	switch {
	case v.Word == verdict.Passed:
		return nil
	case v.Word == verdict.Failed && v.Observe:
		return nil
	case v.Word == verdict.Failed:
		return exitCode(ExitFailed)
	}
	return exitCode(ExitUndecided)
}

// writeFile replaces a file whole or not at all. A device or a pipe is
// written to as it is: renaming something over it would remove it.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeDevice(path, data)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace what a link points at, not the link
	}
	temp, err := os.OpenFile(fmt.Sprintf("%s.%d.tmp", path, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err = cmp.Or(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

func writeDevice(path string, data []byte) error {
	device, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = device.Write(data)
	return cmp.Or(err, device.Close())
}

// reasonOf drops the operation and the path from a file error: the message
// around it names the path already.
func reasonOf(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
