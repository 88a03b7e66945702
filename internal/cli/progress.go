package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/fleetgate/fleetgate/internal/gate"
)

const (
	// progressEvery is how often a log gets a line about a run that goes on.
	progressEvery = 5 * time.Second
	// drawEvery is how often a bar is drawn anew.
	drawEvery = 100 * time.Millisecond
)

// progress gives what a long run reports to, and what ends that: a bar where
// standard error is a terminal, a line every few seconds in a job's log,
// nothing where it is read by another program.
func (a *app) progress() (report func(gate.Progress), done func()) {
	switch {
	case a.getenv("CI") == "true" || a.getenv("GITHUB_ACTIONS") == "true":
		return newLog(a.stderr, time.Now).report, func() {}
	case isTerminal(a.stderr) && a.getenv("TERM") != "dumb":
		b := &bar{out: a.stderr}
		return b.report, b.clear
	}
	return nil, func() {}
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// progressLog writes a line when some time has passed since the last one, so
// that a run that is soon over writes none.
type progressLog struct {
	out  io.Writer
	now  func() time.Time
	last time.Time
}

func newLog(out io.Writer, now func() time.Time) *progressLog {
	return &progressLog{out: out, now: now, last: now()}
}

func (l *progressLog) report(p gate.Progress) {
	if now := l.now(); now.Sub(l.last) >= progressEvery {
		l.last = now
		fmt.Fprintf(l.out, "fleetgate: %d of %d %s\n", p.Done, p.Total, p.Of)
	}
}

// bar draws on a terminal. It is gone when the run is over: the report is what stays.
type bar struct {
	out   io.Writer
	drawn *progressbar.ProgressBar
	of    gate.Progress
}

func (b *bar) report(p gate.Progress) {
	if b.drawn == nil || b.of.Of != p.Of || b.of.Total != p.Total {
		b.clear()
		b.drawn = progressbar.NewOptions(p.Total, progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(p.Of),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(drawEvery), progressbar.OptionClearOnFinish())
	}
	b.of = p
	_ = b.drawn.Set(p.Done) // what can't be drawn is no reason to stop
}

func (b *bar) clear() {
	if b.drawn != nil {
		_ = b.drawn.Clear()
	}
	b.drawn = nil
}
