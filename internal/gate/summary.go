package gate

import (
	"errors"
	"fmt"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// summary is the verdict in one sentence for people.
func summary(v *verdict.Verdict, stop error) string {
	c := v.Counts
	switch {
	case v.Word == verdict.Undecided && stop != nil:
		return "nothing is decided: " + whyStopped(stop)
	case v.Word == verdict.Undecided:
		return "nothing is decided: a tree in the range is malformed"
	case v.Word == verdict.Failed && v.Incomplete && stop != nil:
		return fmt.Sprintf("%s; and not everything could be read: %s", counted(c.Errors, "error"), whyStopped(stop))
	case v.Word == verdict.Failed:
		return fmt.Sprintf("%d of %d commits claimed, %s", c.Claimed, c.Commits, counted(c.Errors, "error"))
	}
	switch v.Reason {
	case "no-policy":
		return "nothing was judged: base has no fleet contract, and no commit claims a step"
	case "branch-deleted":
		return "nothing was judged: the branch was deleted"
	case "nothing-to-judge":
		return "there was nothing to judge: the range brings no change"
	}
	return fmt.Sprintf("%d of %d commits claimed, %d outside", c.Claimed, c.Commits, v.Outside())
}

// whyStopped leaves out the way out, which a verdict names apart.
func whyStopped(stop error) string {
	var undecided *UndecidedError
	if errors.As(stop, &undecided) {
		return undecided.Message
	}
	return oneLine(stop)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
