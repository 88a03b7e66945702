package verdict

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// MaxSurveyBytes is the largest survey that is read.
const MaxSurveyBytes = 512 << 20

// wireSurvey is a survey as its JSON has it.
type wireSurvey struct {
	Schema       string         `json:"schema"`
	Tool         string         `json:"tool"`
	Shard        string         `json:"shard"`
	Missing      []string       `json:"missing"`
	Repositories []wireSurveyed `json:"repositories"`
}

type wireSurveyed struct {
	Repository  string           `json:"repository"`
	Verdict     Word             `json:"verdict"`
	Reason      string           `json:"reason"`
	Summary     string           `json:"summary"`
	Head        string           `json:"head"`
	Policy      string           `json:"policy"`
	Digest      string           `json:"digest"`
	Counts      Counts           `json:"counts"`
	Diagnostics []wireDiagnostic `json:"diagnostics"`
}

type wirePlace struct {
	File       string `json:"file"`
	FileBase64 []byte `json:"file_base64"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`
}

type wireDiagnostic struct {
	wirePlace
	Code       string    `json:"code"`
	Severity   string    `json:"severity"`
	Rev        diag.Side `json:"rev"`
	Message    string    `json:"message"`
	Hint       string    `json:"hint"`
	Field      string    `json:"field"`
	End        wirePlace `json:"end"`
	Commit     string    `json:"commit"`
	Step       string    `json:"step"`
	Path       string    `json:"path"`
	PathBase64 []byte    `json:"path_base64"`
	Related    []struct {
		wirePlace
		Message string    `json:"message"`
		Rev     diag.Side `json:"rev"`
	} `json:"related"`
}

func (p wirePlace) pos() diag.Pos {
	if len(p.FileBase64) > 0 {
		p.File = string(p.FileBase64)
	}
	return diag.Pos{File: p.File, Line: p.Line, Column: p.Column}
}

// ReadSurvey reads what WriteJSON wrote. A survey of another version is refused by name.
func ReadSurvey(r io.Reader) (Survey, error) {
	in := io.LimitReader(r, MaxSurveyBytes+1).(*io.LimitedReader)
	var wire wireSurvey
	if err := json.NewDecoder(in).Decode(&wire); err != nil {
		if in.N == 0 {
			return Survey{}, fmt.Errorf("it has more than %d bytes", int64(MaxSurveyBytes))
		}
		return Survey{}, fmt.Errorf("it is no survey: %w", err)
	}
	if wire.Schema != SurveySchema {
		return Survey{}, fmt.Errorf("its schema is %q; this fleetgate reads %s", diag.Clip(wire.Schema), SurveySchema)
	}
	s := Survey{Tool: wire.Tool, Shard: wire.Shard, Missing: wire.Missing}
	for i := range wire.Repositories {
		row, err := wire.Repositories[i].row()
		if err != nil {
			return Survey{}, err
		}
		s.Repositories = append(s.Repositories, row)
	}
	return s, nil
}

func (w *wireSurveyed) row() (Surveyed, error) {
	if !slices.Contains([]Word{Passed, Failed, Undecided}, w.Verdict) {
		return Surveyed{}, fmt.Errorf("the verdict %q of %q is none", diag.Clip(string(w.Verdict)), diag.Clip(w.Repository))
	}
	row := Surveyed{
		Name: w.Repository, Word: w.Verdict, Reason: w.Reason, Summary: w.Summary,
		Head: w.Head, Policy: w.Policy, Digest: w.Digest, Counts: w.Counts,
	}
	for i := range w.Diagnostics {
		d, err := w.Diagnostics[i].diagnostic()
		if err != nil {
			return Surveyed{}, err
		}
		row.Diagnostics = append(row.Diagnostics, d)
	}
	return row, nil
}

func (w *wireDiagnostic) diagnostic() (diag.Diagnostic, error) {
	severity, ok := diag.ParseSeverity(w.Severity)
	if !ok {
		return diag.Diagnostic{}, fmt.Errorf("the severity %q is none", diag.Clip(w.Severity))
	}
	d := diag.Diagnostic{
		Code: diag.Code(w.Code), Severity: severity, Rev: w.Rev, Pos: w.pos(), Field: w.Field, Message: w.Message, Hint: w.Hint,
		Commit: w.Commit, Step: w.Step, Path: w.Path,
	}
	if len(w.PathBase64) > 0 {
		d.Path = string(w.PathBase64)
	}
	if w.End.Line > 0 {
		d.End = diag.Pos{File: d.Pos.File, Line: w.End.Line, Column: w.End.Column}
	}
	for _, r := range w.Related {
		d.Related = append(d.Related, diag.Related{Pos: r.pos(), Rev: r.Rev, Message: r.Message})
	}
	return d, nil
}

// Part is one survey to merge, and where it came from.
type Part struct {
	From   string
	Survey Survey
}

// Merge joins surveys, of shards or of whole lists. A repository that two of
// them have, and shards of different counts, are errors; a shard that none of
// them has is Missing.
func Merge(parts []Part) (Survey, error) {
	merged := Survey{Missing: []string{}}
	from := map[string]string{}
	var shards []string
	for _, p := range parts {
		merged.Tool = max(merged.Tool, p.Survey.Tool)
		if p.Survey.Shard != "" {
			shards = append(shards, p.Survey.Shard)
		}
		merged.Missing = append(merged.Missing, p.Survey.Missing...)
		for i := range p.Survey.Repositories {
			row := p.Survey.Repositories[i]
			if other, twice := from[row.Name]; twice {
				return Survey{}, fmt.Errorf("%s and %s both have the repository %q", other, p.From, diag.Clip(row.Name))
			}
			from[row.Name] = p.From
			merged.Repositories = append(merged.Repositories, row)
		}
	}
	missing, err := missingShards(shards)
	merged.Missing = append(merged.Missing, missing...)
	merged.Sort()
	return merged, err
}

// Sort puts the repositories in their order.
func (s *Survey) Sort() {
	slices.SortFunc(s.Repositories, func(a, b Surveyed) int { return strings.Compare(a.Name, b.Name) })
}

func missingShards(shards []string) ([]string, error) {
	if len(shards) == 0 {
		return nil, nil
	}
	_, of, err := ParseShard(shards[0])
	have := map[int]bool{}
	for _, shard := range shards {
		k, n, wrong := ParseShard(shard)
		if wrong != nil || err != nil {
			return nil, fmt.Errorf("the shard %q is none", diag.Clip(shard))
		}
		if n != of {
			return nil, fmt.Errorf("the shards %s and %s are of different counts", shards[0], shard)
		}
		have[k] = true
	}
	var missing []string
	for k := 1; k <= of; k++ {
		if !have[k] {
			missing = append(missing, fmt.Sprintf("%d/%d", k, of))
		}
	}
	return missing, nil
}

// MaxShards is into how many shards a list may be divided: as many jobs as one
// matrix of GitHub's may have.
const MaxShards = 256

// ParseShard reads "2/5": the second of five.
func ParseShard(text string) (k, n int, err error) {
	if got, scan := fmt.Sscanf(text, "%d/%d", &k, &n); scan != nil || got != 2 || fmt.Sprintf("%d/%d", k, n) != text || k < 1 || k > n || n > MaxShards {
		return 0, 0, fmt.Errorf("the shard %q is none: write K/N, such as 2/5, with N at most %d", diag.Clip(text), MaxShards)
	}
	return k, n, nil
}
