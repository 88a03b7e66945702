package github

// Did says what came of a write.
type Did string

// What can come of one.
const (
	Created   Did = "created"
	Updated   Did = "updated"
	Unchanged Did = "unchanged" // it was there, and says so already
	Closed    Did = "closed"
	Reopened  Did = "reopened"
	Skipped   Did = "skipped" // Outcome.Why says why
	Nothing   Did = "nothing" // there was nothing to write
)

// Outcome is what came of a write that wasn't refused.
type Outcome struct {
	Did Did
	URL string // the page of what was written, as the API gave it; may be empty
	Why string // of Skipped: one line
}
