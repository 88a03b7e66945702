package action

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// Runner is the machine that runs a job, as one of its steps sees it: inputs
// and the event come from the environment, annotations, outputs and the job's
// summary go back through standard output and files. Outside a job, where the
// files aren't named, what they would get is dropped.
//
// The library behind it panics where it can't write; here that is an error.
type Runner struct {
	getenv func(string) string
	sdk    *githubactions.Action
}

// NewRunner gives the runner whose environment getenv reads and whose log is
// what is written to log.
func NewRunner(getenv func(string) string, log io.Writer) *Runner {
	return &Runner{getenv, githubactions.New(githubactions.WithGetenv(getenv), githubactions.WithWriter(log))}
}

// Job says what a job is about and where it may put files.
type Job struct {
	Event      string // the event's name: pull_request, push, …
	Payload    string // the file with the event's payload; may be empty
	Repository string // OWNER/REPO
	Server     string // https://github.com, or an Enterprise server's address
	Workspace  string // the folder that checkouts lie in; empty outside a job
	Temp       string // a folder that is emptied after the job; empty outside a job
}

// Job reads what the runner says about the job.
func (r *Runner) Job() Job {
	return Job{
		Event:      r.getenv("GITHUB_EVENT_NAME"),
		Payload:    r.getenv("GITHUB_EVENT_PATH"),
		Repository: r.getenv("GITHUB_REPOSITORY"),
		Server:     r.getenv("GITHUB_SERVER_URL"),
		Workspace:  r.getenv("GITHUB_WORKSPACE"),
		Temp:       r.getenv("RUNNER_TEMP"),
	}
}

// ReadPayload reads the event's payload whole, up to one byte over MaxPayload,
// which ParseEvent refuses. A job without a payload has an empty one.
func (j Job) ReadPayload() ([]byte, error) {
	if j.Payload == "" {
		return []byte("{}"), nil
	}
	file, err := os.Open(j.Payload)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxPayload+1))
}

// Level is what kind of message an annotation is.
type Level string

// The levels that a runner shows.
const (
	LevelNotice  Level = "notice"
	LevelWarning Level = "warning"
	LevelError   Level = "error"
)

// Annotate shows a message at the top of the job's page. Whatever is in it, it
// stays one message.
func (r *Runner) Annotate(level Level, message string) error {
	return guarded(func() {
		r.sdk.IssueCommand(&githubactions.Command{
			Name: string(level), Message: message, Properties: githubactions.CommandProperties{"title": "fleetgate"},
		})
	})
}

// Output is one of the step's outputs.
type Output struct{ Name, Value string }

// SetOutputs hands the outputs on, each in a block of its own whose end no
// value can guess.
func (r *Runner) SetOutputs(outputs []Output) error {
	if r.getenv("GITHUB_OUTPUT") == "" {
		return nil
	}
	for _, o := range outputs {
		end := delimiter(o.Value)
		block := o.Name + "<<" + end + githubactions.EOF + o.Value + githubactions.EOF + end
		if err := guarded(func() { r.sdk.IssueFileCommand(&githubactions.Command{Name: "output", Message: block}) }); err != nil {
			return fmt.Errorf("output %s: %w", o.Name, err)
		}
	}
	return nil
}

// delimiter is a random word that isn't in the value.
func delimiter(value string) string {
	for {
		word := "fleetgate-" + rand.Text()
		if !strings.Contains(value, word) {
			return word
		}
	}
}

// AddSummary appends Markdown to the job's summary.
func (r *Runner) AddSummary(markdown string) error {
	if r.getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	return guarded(func() { r.sdk.AddStepSummary(markdown) })
}

// guarded turns a panic into an error.
func guarded(write func()) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	write()
	return nil
}
