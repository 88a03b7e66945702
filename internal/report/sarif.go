package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// MaxSARIFResults is how many results a run has at most; GitHub refuses a
// file with more. What is left out is counted in a notification.
const MaxSARIFResults = 25_000

// What a SARIF file of ours says of itself.
const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	projectURI   = "https://github.com/fleetgate/fleetgate"
	rulesURI     = projectURI + "/blob/main/docs/checks.md#"
	fallbackFile = ".clio-coder/fleetgate.yaml" // GitHub refuses a result without a file
)

// SARIF writes the findings as SARIF 2.1.0. A run that is undecided says so
// (executionSuccessful is false): whoever uploads it would close alerts that
// nobody looked at, and should not.
func SARIF(w io.Writer, v verdict.Verdict) error {
	s := &sarif{gone: goneAtHead(v), seen: map[string]int{}}
	file := sarifFile{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{s.run(v)}}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(file)
}

type sarifFile struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	AutomationDetails struct {
		ID string `json:"id"`
	} `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]string `json:"properties"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifRule struct {
	ID                   string     `json:"id"`
	ShortDescription     *sarifText `json:"shortDescription,omitempty"`
	FullDescription      *sarifText `json:"fullDescription,omitempty"`
	Help                 *sarifText `json:"help,omitempty"`
	HelpURI              string     `json:"helpUri"`
	DefaultConfiguration sarifLevel `json:"defaultConfiguration"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	ExecutionSuccessful        bool                `json:"executionSuccessful"`
	ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Properties          map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	ID               *int       `json:"id,omitempty"`
	Message          *sarifText `json:"message,omitempty"`
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI       string `json:"uri"`
			URIBaseID string `json:"uriBaseId"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// sarif is one run being written.
type sarif struct {
	gone map[string]bool
	seen map[string]int // results by what identifies them, so that equal ones are numbered
}

func (s *sarif) run(v verdict.Verdict) sarifRun {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	found := v.Diagnostics[:min(len(v.Diagnostics), MaxSARIFResults)]
	rules, index := sarifRules(found)
	run.Tool.Driver = sarifDriver{Name: "fleetgate", Version: v.Tool, InformationURI: projectURI, Rules: rules}
	run.AutomationDetails.ID = "fleetgate/" + v.Command + "/"
	run.Invocations = []sarifInvocation{invocation(v, len(v.Diagnostics)-len(found))}
	run.Properties = map[string]string{"verdict": string(v.Word), "reason": v.Reason, "head": v.Head, "base": v.Base, "digest": v.Digest}
	for _, d := range found {
		result := s.result(d)
		result.RuleIndex = index[d.Code]
		run.Results = append(run.Results, result)
	}
	return run
}

func invocation(v verdict.Verdict, leftOut int) sarifInvocation {
	i := sarifInvocation{ExecutionSuccessful: v.Word != verdict.Undecided, ToolExecutionNotifications: []sarifNotification{}}
	note := func(level, text string) {
		i.ToolExecutionNotifications = append(i.ToolExecutionNotifications, sarifNotification{Level: level, Message: sarifMessage(text)})
	}
	if v.Word == verdict.Undecided {
		note("error", "undecided, which is no pass: "+Title(v))
	}
	if v.Word == verdict.Failed && v.Incomplete {
		note("warning", "not everything could be read: there may be more findings")
	}
	if leftOut > 0 {
		note("warning", counted(leftOut, "more finding")+" than a file may hold; the JSON report lists them all")
	}
	return i
}

// sarifRules are the rules of the findings, by code, and where each stands.
func sarifRules(found []diag.Diagnostic) ([]sarifRule, map[diag.Code]int) {
	var codes []diag.Code
	index := map[diag.Code]int{}
	for _, d := range found {
		if _, known := index[d.Code]; !known {
			index[d.Code] = 0
			codes = append(codes, d.Code)
		}
	}
	slices.Sort(codes)
	rules := make([]sarifRule, len(codes))
	for i, code := range codes {
		index[code] = i
		rules[i] = sarifRuleOf(code)
	}
	return rules, index
}

func sarifRuleOf(code diag.Code) sarifRule {
	out := sarifRule{ID: string(code), HelpURI: rulesURI + string(code), DefaultConfiguration: sarifLevel{Level: "warning"}}
	rule, ok := diag.Lookup(code)
	if !ok {
		return out
	}
	out.ShortDescription = &sarifText{Text: rule.Title}
	out.FullDescription = &sarifText{Text: rule.Why}
	out.Help = &sarifText{
		Text:     rule.Why + "\n\nWay out: " + rule.Fix,
		Markdown: ruleText(rule.Why) + "\n\n**Way out:** " + ruleText(rule.Fix),
	}
	out.DefaultConfiguration.Level = rule.Severity.String()
	return out
}

func (s *sarif) result(d diag.Diagnostic) sarifResult {
	text := d.Message
	if d.Hint != "" {
		text += "\nWay out: " + d.Hint
	}
	result := sarifResult{
		RuleID:              string(d.Code),
		Level:               d.Severity.String(),
		Message:             sarifMessage(text),
		Locations:           []sarifLocation{sarifPlace(s.place(d))},
		PartialFingerprints: map[string]string{"primaryLocationLineHash": s.fingerprint(d)},
		Properties:          sarifProperties(d),
	}
	for i, r := range d.Related {
		if !inRepository(r.Pos.File) {
			continue
		}
		location := sarifPlace(r.Pos, diag.Pos{})
		message := sarifMessage(r.Message)
		location.ID, location.Message = &i, &message
		result.RelatedLocations = append(result.RelatedLocations, location)
	}
	return result
}

// place is the path of the finding where head still has it, else where the
// contract, or whatever file the finding is about, has its reason.
func (s *sarif) place(d diag.Diagnostic) (pos, end diag.Pos) {
	switch {
	case inRepository(d.Path) && !s.gone[d.Path]:
		return diag.Pos{File: d.Path, Line: 1}, diag.Pos{}
	case inRepository(d.Pos.File):
		return d.Pos, d.End
	}
	return diag.Pos{File: fallbackFile}, diag.Pos{}
}

func inRepository(file string) bool {
	return file != "" && path.Clean(file) == file && !path.IsAbs(file) && file != ".." && !strings.HasPrefix(file, "../")
}

func sarifPlace(pos, end diag.Pos) sarifLocation {
	var l sarifLocation
	l.PhysicalLocation.ArtifactLocation.URI = uriPath(pos.File)
	l.PhysicalLocation.ArtifactLocation.URIBaseID = "%SRCROOT%"
	if pos.Line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{StartLine: pos.Line, StartColumn: pos.Column, EndLine: end.Line, EndColumn: end.Column}
	}
	return l
}

// uriPath writes a path as a relative reference, byte by byte, so that a path
// that isn't UTF-8 keeps its bytes.
func uriPath(file string) string {
	var out strings.Builder
	for _, b := range []byte(file) {
		if isASCIILetter(rune(b)) || b >= '0' && b <= '9' || strings.IndexByte("/-._~", b) >= 0 {
			out.WriteByte(b)
			continue
		}
		fmt.Fprintf(&out, "%%%02X", b)
	}
	return out.String()
}

// fingerprint is the same for the same finding when lines move and commits
// are made anew: rule, step, path, file and field, and a number among equals.
func (s *sarif) fingerprint(d diag.Diagnostic) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(d.Code), d.Step, d.Path, d.Pos.File, d.Field}, "\x00")))
	hash := hex.EncodeToString(sum[:8])
	s.seen[hash]++
	return fmt.Sprintf("%s:%d", hash, s.seen[hash])
}

func sarifProperties(d diag.Diagnostic) map[string]string {
	all := map[string]string{}
	for key, value := range map[string]string{"commit": d.Commit, "step": prose(d.Step), "path": prose(d.Path), "field": prose(d.Field), "rev": string(d.Rev)} {
		if value != "" {
			all[key] = value
		}
	}
	return all
}

// sarifMessage shows a message as the format's plain text, in which brackets make links.
func sarifMessage(text string) sarifText {
	lines := strings.Split(text, "\nWay out: ")
	return sarifText{Text: sarifBrackets.Replace(strings.Join(mapped(lines, prose), "\nWay out: "))}
}

var sarifBrackets = strings.NewReplacer("[", `\[`, "]", `\]`)
