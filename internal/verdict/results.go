package verdict

// Results are the reports that a check was asked to look at, and what they were found to be.
type Results struct {
	Pattern  string // as given
	Required bool
	Files    []ResultFile // by name
}

// ResultFile is one report. Where the file's form is wrong, or it answers for
// no step, only the first two fields are there.
type ResultFile struct {
	File        string // relative to the work tree's root
	SHA256      string // of its bytes; empty where it was not read whole
	Step        string // fleet/position
	Agent       string // empty for a command's report
	Kind        string
	Conformance string // empty: a later attempt took its place
	Quality     string
	Digest      string // the validator digest
}

var resultsObject = newObject(false,
	text("pattern", func(r *Results) string { return r.Pattern }),
	boolean("required", func(r *Results) bool { return r.Required }),
	list("files", resultFileObject, func(r *Results) []ResultFile { return r.Files }),
)

var resultFileObject = newObject(false,
	text("file", func(f *ResultFile) string { return f.File }),
	raw("file_base64", func(f *ResultFile) string { return f.File }),
	optional("sha256", func(f *ResultFile) string { return f.SHA256 }),
	optional("step", func(f *ResultFile) string { return f.Step }),
	optional("agent", func(f *ResultFile) string { return f.Agent }),
	optional("kind", func(f *ResultFile) string { return f.Kind }),
	optional("conformance", func(f *ResultFile) string { return f.Conformance }),
	optional("quality", func(f *ResultFile) string { return f.Quality }),
	optional("validator_digest", func(f *ResultFile) string { return f.Digest }),
)

var resultsMember = member[Verdict]{
	key:   "results",
	when:  func(v *Verdict) bool { return v.Results != nil },
	write: func(e *encoder, v *Verdict) { resultsObject.write(e, v.Results) },
}
