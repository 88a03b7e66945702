package action

import "encoding/json"

// Pull is the pull request that an event is about.
type Pull struct {
	Number int
	Head   string // full id of the commit that the payload says it is at
}

// ReadPull reads which pull request a payload is about. It decides nothing
// that is judged: a payload that says none, or says it badly, gives the zero
// value.
func ReadPull(event string, payload []byte) Pull {
	root, err := parsePayload(event, payload)
	if err != nil {
		return Pull{}
	}
	r := &reader{event: event, root: root}
	number, _ := r.find("pull_request.number")
	var pull Pull
	if err := json.Unmarshal(number, &pull.Number); err != nil || pull.Number < 1 {
		return Pull{}
	}
	pull.Head = r.commit("pull_request.head.sha")
	if r.err != nil {
		return Pull{}
	}
	return pull
}
