package result

import (
	"fmt"
	"strings"
)

// The allowance of a run whose report misses its contract (spec 7).
const (
	RepairLimit = 2  // rounds; then the run ends as Exhausted
	MaxAnchors  = 12 // path:line places that one round names, the last ones
)

// Exhausted is how a run ends whose report still misses its contract after the last round.
const Exhausted = "result_contract_exhausted"

const (
	repairTool = "result_contract"
	repairID   = "clio-result-contract-repair-"
)

// Exchange is one repair round: a call of a tool that no worker called, and the
// answer that refuses the report. Both halves carry ID.
type Exchange struct {
	ID      string
	Last    bool     // no round follows
	Anchors []string // path:line places that the run read, at most MaxAnchors, the last ones
	Call    Call
	Answer  Answer
}

// Call is the worker's half of an exchange.
type Call struct {
	Role       string    `json:"role"` // assistant
	Content    []Content `json:"content"`
	StopReason string    `json:"stopReason"` // toolUse
	Usage      Usage     `json:"usage"`      // zero: nothing was spent on it
}

// Answer is the tool's half of an exchange: an error that quotes the validator.
type Answer struct {
	Role       string    `json:"role"` // toolResult
	ToolCallID string    `json:"toolCallId"`
	ToolName   string    `json:"toolName"`
	Content    []Content `json:"content"`
	IsError    bool      `json:"isError"`
}

// Content is one block of a message: a tool call, or text.
type Content struct {
	Type      string    `json:"type"`
	ID        string    `json:"id,omitempty"`
	Name      string    `json:"name,omitempty"`
	Arguments *struct{} `json:"arguments,omitempty"`
	Text      string    `json:"text,omitempty"`
}

// Usage counts tokens, and what they cost.
type Usage struct {
	Input       int  `json:"input"`
	Output      int  `json:"output"`
	CacheRead   int  `json:"cacheRead"`
	CacheWrite  int  `json:"cacheWrite"`
	TotalTokens int  `json:"totalTokens"`
	Cost        Cost `json:"cost"`
}

// Cost is money.
type Cost struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
	Total      int `json:"total"`
}

// Repair makes the exchange of a round: reason is the validator's, anchors are
// the path:line places that the run read, tools says whether the worker may
// still use its tools.
func Repair(c Contract, reason string, round int, anchors []string, tools bool) Exchange {
	id := fmt.Sprintf("%s%d", repairID, round)
	e := Exchange{ID: id, Last: round >= RepairLimit, Anchors: lastAnchors(anchors)}
	e.Call = Call{
		Role: "assistant", StopReason: "toolUse",
		Content: []Content{{Type: "toolCall", ID: id, Name: repairTool, Arguments: &struct{}{}}},
	}
	e.Answer = Answer{
		Role: "toolResult", ToolCallID: id, ToolName: repairTool, IsError: true,
		Content: []Content{{Type: "text", Text: e.text(c, reason, tools)}},
	}
	return e
}

func lastAnchors(anchors []string) []string {
	return append([]string{}, anchors[max(0, len(anchors)-MaxAnchors):]...)
}

// text is what the worker reads.
func (e *Exchange) text(c Contract, reason string, tools bool) string {
	lines := []string{
		"Your final text does not meet its result contract, " + string(c.Kind) + ":",
		reason,
		"",
		"Answer again, with the report alone. This is its one exact shape:",
		Shape(c),
		"",
	}
	if tools {
		lines = append(lines, "Your tools are open for this answer.")
	} else {
		lines = append(lines, "Your tools are closed: answer from what you have already seen.")
	}
	if len(e.Anchors) > 0 {
		lines = append(lines, "You read, among others: "+strings.Join(e.Anchors, ", ")+".")
	}
	if e.Last {
		lines = append(lines, "This is the last round: after it the run ends as "+Exhausted+".")
	}
	return strings.Join(lines, "\n")
}
