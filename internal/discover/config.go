package discover

import (
	"io/fs"

	"github.com/fleetgate/fleetgate/internal/boundary"
	"github.com/fleetgate/fleetgate/internal/diag"
)

// Config is the parsed gate configuration (design.md, "Gate configuration").
// The zero Config, but for its Path, is what an absent file means.
type Config struct {
	Present  bool
	Path     string   // .clio-coder/fleetgate.yaml, present or not
	Trusted  []string // exact branch names
	Rules    boundary.Rules
	Severity map[diag.Code]diag.Severity
	Ignore   []Ignore
	// Positions are the places of the values, by their field: "trusted[0]",
	// "severity.tree-alias", "identities[2]".
	Positions map[string]diag.Pos
}

// Ignore is one entry of the gate configuration's ignore list.
type Ignore struct {
	Code   diag.Code
	Path   string // a boundary entry, or empty
	Commit string // a full commit id in lower case, or empty
	Reason string
	Until  string // YYYY-MM-DD, the last day on which it applies, or empty
	Pos    diag.Pos
}

// ReadConfig reads the gate configuration of a tree alone: what the default
// branch trusts is asked before anything else of its policy is. broken says
// that there is a configuration that can't be used, for the findings' reasons;
// the configuration is then the default one.
func ReadConfig(project fs.FS) (c Config, found []diag.Diagnostic, broken bool, err error) {
	r := &reader{fsys: project, left: MaxTotalBytes}
	there, err := r.enter(Dir)
	if err != nil {
		return Config{}, nil, false, err
	}
	if !there {
		return Config{Path: ConfigPath}, r.found, len(r.found) > 0, nil
	}
	c, found, broken, err = readConfig(r)
	return c, append(found, r.found...), broken, err
}

func readConfig(r *reader) (c Config, found []diag.Diagnostic, broken bool, err error) {
	f, ok, there, err := r.single(configFile)
	if err != nil || !there {
		return Config{Path: ConfigPath}, nil, false, err
	}
	if !ok {
		return Config{Path: ConfigPath, Present: true}, nil, true, nil
	}
	c, found = ParseConfig(f.path, f.text)
	return c, found, diag.HasError(found), nil
}

// ignores says whether the entry takes a finding away. A fixed code can be
// ignored for one commit only, never for a path.
func (i Ignore) ignores(d diag.Diagnostic) bool {
	if d.Code != i.Code {
		return false
	}
	if i.Commit != "" {
		return d.Commit == i.Commit
	}
	rule, _ := diag.Lookup(d.Code)
	return !rule.Fixed && boundary.Covers([]string{i.Path}, subject(d))
}

// subject is the path that a finding is about: that of a change, else of a policy file.
func subject(d diag.Diagnostic) string {
	if d.Path != "" {
		return d.Path
	}
	return d.Pos.File
}

// expired says whether today is past the entry's last day. Both are
// YYYY-MM-DD; an unknown today is never past it.
func (i Ignore) expired(today string) bool { return i.Until != "" && today > i.Until }

// Apply gives findings the severities of the configuration, drops what it
// ignores or turns off, and adds one ignore-expired for each entry that today
// is past. today is base tip's committer date, YYYY-MM-DD; where it is empty
// (a work tree has none) no entry has expired. found is not changed.
func (c Config) Apply(found []diag.Diagnostic, today string) []diag.Diagnostic {
	var kept []diag.Diagnostic
	var live []Ignore
	for _, i := range c.Ignore {
		if !i.expired(today) {
			live = append(live, i)
			continue
		}
		kept = c.keep(kept, nil, i.expiry(today))
	}
	var out []diag.Diagnostic
	for _, d := range found {
		out = c.keep(out, live, d)
	}
	return append(out, kept...)
}

// keep appends a finding with its configured severity, unless it is ignored or off.
func (c Config) keep(out []diag.Diagnostic, live []Ignore, d diag.Diagnostic) []diag.Diagnostic {
	for _, i := range live {
		if i.ignores(d) {
			return out
		}
	}
	d.Severity = c.severity(d)
	if d.Severity == diag.Off {
		return out
	}
	return append(out, d)
}

// severity is what a finding weighs by the configuration. A fixed code's
// weight may go up, never down.
func (c Config) severity(d diag.Diagnostic) diag.Severity {
	wanted, ok := c.Severity[d.Code]
	if !ok {
		return d.Severity
	}
	rule, _ := diag.Lookup(d.Code)
	if rule.Fixed && wanted > d.Severity {
		return d.Severity
	}
	return wanted
}

func (i Ignore) expiry(today string) diag.Diagnostic {
	subject := i.Path
	if i.Commit != "" {
		subject = "commit " + i.Commit
	}
	return diag.New("ignore-expired", i.Pos, "", "the entry that ignores "+string(i.Code)+" for "+boundary.Quote(subject)+
		" applied until "+i.Until+"; base was last changed on "+today).
		WithHint("take the entry out, or give it a later date and say why in its reason")
}
