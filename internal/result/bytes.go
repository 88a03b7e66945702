package result

// outputHeadroom is what a mutation report may hold beside its authored words, in bytes.
const outputHeadroom = 4_096

// OutputBytes bounds the sealed output of a run, in bytes: twice the authored
// words of a mutation report, and headroom. The other kinds have no bound of
// their own: false (spec 7).
func (c Contract) OutputBytes() (limit int, bounded bool) {
	if c.Kind != MutationReport {
		return 0, false
	}
	return 2*c.SummaryBytes() + 2*MaxCommitMessageBytes + outputHeadroom, true
}
