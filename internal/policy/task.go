package policy

import (
	"regexp"
	"strings"
	"sync"
)

// TaskType is what a task asks for, by its wording.
type TaskType string

// The task types (spec 3.8).
const (
	TaskTest           TaskType = "test"
	TaskDocs           TaskType = "docs"
	TaskReview         TaskType = "code_review"
	TaskDebug          TaskType = "debug"
	TaskRefactor       TaskType = "refactor"
	TaskConfig         TaskType = "config"
	TaskWorldKnowledge TaskType = "world_knowledge"
	TaskResearch       TaskType = "research"
	TaskRead           TaskType = "code_read"
	TaskWrite          TaskType = "code_write"
	TaskUnknown        TaskType = "unknown"
)

// taskRule is the words of one task type.
type taskRule struct {
	task  TaskType
	words func() *regexp.Regexp
}

// taskRules are looked at in order; the first that matches decides (spec 3.8).
var taskRules = []taskRule{
	{TaskTest, wholeWords(`tests?|coverage|spec file`)},
	{TaskDocs, wholeWords(`documentation|docs|readme|changelog|comment|docstring`)},
	{TaskReview, wholeWords(`review|audit|critique|inspect for`)},
	{TaskDebug, wholeWords(`debug|fix|bug|crash|failure|broken|regression`)},
	{TaskRefactor, wholeWords(`refactor|clean ?up|restructure|rename|extract|simplify`)},
	{TaskConfig, wholeWords(`config|configuration|settings|setup|install|ci pipeline|workflow file`)},
	{TaskWorldKnowledge, wholeWords(`open[- ]world|(?:ecosystem|industry) landscape|state of (?:the )?art|(?:current|latest) alternatives|advisory second opinion`)},
	{TaskResearch, wholeWords(`research|investigate|explore|survey|compare|find out`)},
	{TaskRead, wholeWords(`read|explain|understand|summarize|describe|walk through|map|locate|trace`)},
	{TaskWrite, wholeWords(`write|implement|add|create|build|develop|introduce`)},
}

// wholeWords matches any of the words where neither an ASCII letter, digit nor
// underscore touches it: the runtime's word boundary, and Go's. It is compiled
// when it is first asked for: most runs classify no task.
func wholeWords(alternatives string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:` + alternatives + `)\b`) })
}

// ClassifyTask says what a task asks for (spec 3.8). Letter case doesn't count, for ASCII letters.
func ClassifyTask(task string) TaskType {
	text := lowerASCII(task)
	for _, rule := range taskRules {
		if rule.words().MatchString(text) {
			return rule.task
		}
	}
	return TaskUnknown
}

// mutates says whether a task of this type changes the workspace.
func (t TaskType) mutates() bool {
	switch t {
	case TaskWrite, TaskDebug, TaskRefactor, TaskConfig, TaskTest, TaskDocs:
		return true
	}
	return false
}

// findWhere opens a task that looks for something.
var findWhere = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*find where\b`) })

// asksToLook says whether any word of the task asks to review, research or read.
func asksToLook(task string) bool {
	text := lowerASCII(task)
	for _, rule := range taskRules {
		looks := rule.task == TaskReview || rule.task == TaskResearch || rule.task == TaskRead
		if looks && rule.words().MatchString(text) {
			return true
		}
	}
	return findWhere().MatchString(text)
}

// lowerASCII folds ASCII letters alone: the runtime's patterns do not let a
// letter from beyond ASCII stand for one within, as Go's (?i) would.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, text)
}
