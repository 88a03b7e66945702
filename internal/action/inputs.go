package action

import (
	"fmt"
	"slices"
	"strings"
)

// Inputs are the action's inputs, read.
type Inputs struct {
	Base, Head       string // revisions; empty: the event's
	WorkingDirectory string // the folder to judge, in the workspace
	FailOn           string // error or warning
	Observe          bool   // mode: observe
	Annotations      bool
	Summary          bool
	Comment          bool
	CheckRun         bool
	SARIFFile        string // files to write reports to, in the workspace; empty: none
	JSONFile         string
	JUnitFile        string
	Token            string // for fetching, the comment and the check run; may be empty
	Results          string // a pattern of files with the results of worker runs
	ResultsRequired  bool
	Audit            bool   // look at what the repository has by now, in place of the event
	Since            string // how far back an audit looks; empty: not at all
	Issue            bool   // keep an audit's issue
}

// InputSpec is an input as action.yml declares it.
type InputSpec struct {
	Name    string
	Default string
	Values  []string // all that are allowed; nil: any text
	Setup   bool     // read by action/run.sh alone, before there is a binary
}

var flags = []string{"true", "false"}

// InputSpecs are all inputs, in action.yml's order.
var InputSpecs = []InputSpec{
	{Name: "base"},
	{Name: "head"},
	{Name: "working_directory", Default: "."},
	{Name: "fail_on", Default: "error", Values: []string{"error", "warning"}},
	{Name: "mode", Default: "enforce", Values: []string{"enforce", "observe"}},
	{Name: "annotations", Default: "true", Values: flags},
	{Name: "summary", Default: "true", Values: flags},
	{Name: "comment", Default: "false", Values: flags},
	{Name: "check_run", Default: "false", Values: flags},
	{Name: "sarif_file"},
	{Name: "json_file"},
	{Name: "junit_file"},
	{Name: "results"},
	{Name: "results_required", Default: "false", Values: flags},
	{Name: "audit", Default: "false", Values: flags},
	{Name: "since"},
	{Name: "issue", Default: "false", Values: flags},
	{Name: "token", Default: "${{ github.token }}"},
	{Name: "version", Setup: true},
}

// InputError says which input can't be used, and what it may be.
type InputError struct {
	Name, Value string
	Values      []string
}

// Error names the input, its value and what it may be.
func (e *InputError) Error() string {
	return fmt.Sprintf("the input %s is %s; it is %s", e.Name, quote(e.Value), strings.Join(e.Values, " or "))
}

// Inputs reads the inputs. An empty one has its default. The error is an *InputError.
func (r *Runner) Inputs() (Inputs, error) {
	given := map[string]string{}
	for _, spec := range InputSpecs {
		value, err := r.input(spec)
		if err != nil {
			return Inputs{}, err
		}
		given[spec.Name] = value
	}
	return Inputs{
		Base: given["base"], Head: given["head"], WorkingDirectory: given["working_directory"],
		FailOn: given["fail_on"], Observe: given["mode"] == "observe",
		Annotations: given["annotations"] == "true", Summary: given["summary"] == "true",
		Comment: given["comment"] == "true", CheckRun: given["check_run"] == "true",
		SARIFFile: given["sarif_file"], JSONFile: given["json_file"], JUnitFile: given["junit_file"],
		Results: given["results"], ResultsRequired: given["results_required"] == "true",
		Audit: given["audit"] == "true", Since: given["since"], Issue: given["issue"] == "true",
		Token: given["token"],
	}, nil
}

// input reads one input; white space around it doesn't count.
func (r *Runner) input(spec InputSpec) (string, error) {
	value := r.sdk.GetInput(spec.Name)
	if value == "" && !strings.HasPrefix(spec.Default, "${{") {
		return spec.Default, nil
	}
	if spec.Values != nil && !slices.Contains(spec.Values, value) {
		return "", &InputError{Name: spec.Name, Value: value, Values: spec.Values}
	}
	return value, nil
}
