package boundary

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTrailers(t *testing.T) {
	tests := []struct {
		name    string
		message string
		want    []Trailer
	}{
		{"no message", "", nil},
		{"a title is never a trailer", "Fleet-Step: docs/write\n", nil},
		{"the last paragraph", "t\n\nFleet-Step: docs/write\n", []Trailer{{"Fleet-Step", "docs/write", 3}}},
		{"without a final newline", "t\n\nFleet-Step: docs/write", []Trailer{{"Fleet-Step", "docs/write", 3}}},
		{"only the last paragraph (T1)", "t\n\nFleet-Step: a/b\n\nFleet-Step: c/d\n", []Trailer{{"Fleet-Step", "c/d", 5}}},
		{"a blank line inside the block splits it (T2)", "t\n\nFleet-Step: a/b\n\nSigned-off-by: x <x@y>\n", []Trailer{{"Signed-off-by", "x <x@y>", 5}}},
		{"a rule right above the block makes it text (T2)", "t\n\n---------\nFleet-Step: a/b\n", nil},
		{"a paragraph of its own for the rule does not (T2)", "t\n\n---------\n\nFleet-Step: a/b\n", []Trailer{{"Fleet-Step", "a/b", 5}}},
		{"a cherry-pick note in the block (T2)", "t\n\nFleet-Step: a/b\n(cherry picked from commit 1234)\n", []Trailer{{"Fleet-Step", "a/b", 3}}},
		{"a cherry-pick note after a blank line (T2)", "t\n\nFleet-Step: a/b\n\n(cherry picked from commit 1234)\n", nil},
		{"odd case and spacing (T3)", "t\n\nfleet-step \t: Docs/Write \r\n", []Trailer{{"fleet-step", "Docs/Write", 3}}},
		{
			"a quarter is enough beside git's own line", "t\n\ntext one\ntext two\ntext three\nSigned-off-by: x <x@y>\nFleet-Step: a/b\n",
			[]Trailer{{"Signed-off-by", "x <x@y>", 6}, {"Fleet-Step", "a/b", 7}},
		},
		{"text without git's own line", "t\n\ntext\nFleet-Step: a/b\n", nil},
		{"a folded value", "t\n\nFleet-Step: a/b\n\tand\n  more\nX: y\n", []Trailer{{"Fleet-Step", "a/b and more", 3}, {"X", "y", 6}}},
		{"comments don't count", "t\n\n# c\nFleet-Step: a/b\n# d\n", []Trailer{{"Fleet-Step", "a/b", 4}}},
		{"scissors end the text", "t\n\nFleet-Step: a/b\n# ------------------------ >8 ------------------------\n\nX: y\n", []Trailer{{"Fleet-Step", "a/b", 3}}},
		{"a conflicts list is no text", "t\n\nFleet-Step: a/b\n\nConflicts:\n\tsrc/a\n", []Trailer{{"Fleet-Step", "a/b", 3}}},
		{"a divider is plain text", "t\n\nFleet-Step: a/b\n---\n\nX: y\n", []Trailer{{"X", "y", 6}}},
		{"git reads up to a NUL", "t\n\nFleet-Step: a\x00/b\n\nX: y\n", []Trailer{{"Fleet-Step", "a", 3}}},
		{"a value may be empty", "t\n\nFleet-Step:\n", []Trailer{{"Fleet-Step", "", 3}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ReadTrailers(tt.message)); diff != "" {
				t.Errorf("ReadTrailers(%q) differs (-want +got):\n%s", tt.message, diff)
			}
		})
	}
}

func TestReadAllTrailersReadsEveryParagraph(t *testing.T) {
	message := "Two steps (#12)\n\n* one\n\nFleet-Step: a/b\n\n* two\nSome text\nX: no block\n\nFleet-Step: c/d\nY:\n  z\n\n---------\n\nCo-authored-by: x <x@y>\n"
	want := []Trailer{
		{"Fleet-Step", "a/b", 5},
		{"Fleet-Step", "c/d", 11},
		{"Y", "z", 12},
		{"Co-authored-by", "x <x@y>", 17},
	}
	if diff := cmp.Diff(want, ReadAllTrailers(message)); diff != "" {
		t.Errorf("ReadAllTrailers differs (-want +got):\n%s", diff)
	}
}

const (
	generatedMessages      = 20_000
	generatedMessagesShort = 2_000
	messagesPerProcess     = 500
	trailerSeed            = 20260101
)

// The oracle is the real git, without any configuration.
func TestTrailersLikeGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git isn't installed")
	}
	count := generatedMessages
	if testing.Short() {
		count = generatedMessagesShort
	}
	random := rand.New(rand.NewPCG(trailerSeed, 1))
	messages := make([]string, count)
	for i := range messages {
		messages[i] = generateMessage(random)
	}
	differed, withTrailers := compareWithGit(t, git, messages)
	t.Logf("%d messages, %d with trailers, %d differences", count, withTrailers, differed)
	if withTrailers < count/4 {
		t.Errorf("only %d of %d messages have trailers: the generator no longer exercises the reader", withTrailers, count)
	}
}

func compareWithGit(t *testing.T, git string, messages []string) (differed, withTrailers int) {
	type batch struct{ from, to int }
	batches := make(chan batch)
	var workers sync.WaitGroup
	var lock sync.Mutex
	for range 2 {
		workers.Go(func() {
			for b := range batches {
				want := gitTrailers(t, git, messages[b.from:b.to])
				lock.Lock()
				for i, text := range want {
					if text != "" {
						withTrailers++
					}
					if got := printTrailers(ReadTrailers(messages[b.from+i])); got != text {
						differed++
						t.Errorf("message %q:\ngit reads %q\nwe read   %q", messages[b.from+i], text, got)
					}
				}
				lock.Unlock()
			}
		})
	}
	for from := 0; from < len(messages); from += messagesPerProcess {
		batches <- batch{from, min(from+messagesPerProcess, len(messages))}
	}
	close(batches)
	workers.Wait()
	return differed, withTrailers
}

// gitTrailers runs one git for many messages; a file with a trailer that no
// message has stands after each and separates what is printed.
func gitTrailers(t *testing.T, git string, messages []string) []string {
	dir := t.TempDir()
	const mark = "End-Of-Message: 7f3a9\n"
	end := filepath.Join(dir, "end")
	if err := os.WriteFile(end, []byte("t\n\n"+mark), 0o600); err != nil {
		t.Error(err)
		return nil
	}
	args := []string{"interpret-trailers", "--only-trailers", "--only-input", "--unfold", "--no-divider"}
	for i, message := range messages {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
			t.Error(err)
			return nil
		}
		args = append(args, file, end)
	}
	command := exec.Command(git, args...)
	command.Dir = dir
	command.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir, "GIT_CEILING_DIRECTORIES=" + dir}
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Errorf("git: %v: %s", err, complaints.String())
		return nil
	}
	read := strings.SplitAfter(string(out), mark)
	if len(read) != len(messages)+1 {
		t.Errorf("git printed %d answers to %d messages", len(read)-1, len(messages))
		return nil
	}
	for i := range messages {
		read[i] = strings.TrimSuffix(read[i], mark)
	}
	return read[:len(messages)]
}

// printTrailers prints as git does.
func printTrailers(trailers []Trailer) string {
	var out strings.Builder
	for _, t := range trailers {
		out.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return out.String()
}

// linePool holds the lines that decide something in git's reader, and their near misses.
var linePool = []string{
	"", "", "", "", " ", "\t", " \t ", "\r", "\v", "\f", "\u00a0",
	"Fleet-Step: docs/write", "fleet-step : Docs/Write", "FLEET-STEP\t:\tx", "Fleet-Step:", "Fleet-Step:docs/write", "Fleet_Step: x",
	"Fleet-Step docs/write", " Fleet-Step: indented", "\tFleet-Step: indented", "Fleet-Step : : x", "Fleet Step: x", "Fleet-Step\u00a0: x",
	"Signed-off-by: A <a@b>", "Signed-off-by:A <a@b>", "signed-off-by: A <a@b>", "Signed-off-by: ", " Signed-off-by: A",
	"(cherry picked from commit 1234)", "(cherry picked from commit ", "(cherry picked from", " (cherry picked from commit 1)",
	"Co-authored-by: Claude <noreply@anthropic.com>", "X: y", "X:y:z", "X-:", "-: x", "--: x", ": x", "1: x", "é: x", "X\u200b: y", "a/b: c", "x=y", "https://example.com/x",
	"plain text", "more plain text here.", "- a list item: with a colon", "* item", "text: with: colons", "word",
	" continued", "\tcontinued", "  # indented comment", "# comment", "#", "#X: y", "# ------------------------ >8 ------------------------",
	"# ------------------------ >8 ------------------------ ", " # ------------------------ >8 ------------------------", "; ------------------------ >8 ------------------------",
	"Conflicts:", "Conflicts: x", "Conflicts:\r", "# Conflicts:", "\tsrc/a.go", "\tX: y",
	"---", "--- a", "---\r", "---------", "diff --git a/x b/x",
	"This reverts commit 0123.", "title (#12)", "X: y\x00z", "\x00", "\xff\xfe: x", "X: \xff", "Key-With-Many-Parts: v", "trailing: spaces   ", "crlf: v\r",
}

// generateMessage strings lines of the pool together, biased so that about
// half of the messages have a trailer block.
func generateMessage(random *rand.Rand) string {
	var lines []string
	if random.IntN(8) > 0 {
		lines = append(lines, "title", "")
	}
	for range random.IntN(5) {
		lines = append(lines, linePool[random.IntN(len(linePool))])
	}
	if random.IntN(3) > 0 {
		lines = append(lines, "")
		for range 1 + random.IntN(4) {
			lines = append(lines, blockLine(random))
		}
	}
	for range random.IntN(3) {
		lines = append(lines, linePool[random.IntN(len(linePool))])
	}
	ends := []string{"\n", "\n", "\n", "\n", "\r\n"}
	return strings.Join(lines, ends[random.IntN(len(ends))]) + []string{"", "\n", "\n", "\n\n", "\n \n", "\n\t"}[random.IntN(6)]
}

func blockLine(random *rand.Rand) string {
	good := []string{"Fleet-Step: a/b", "X: y", "Signed-off-by: A <a@b>", " continued", "fleet-step :  c/d  ", "Reviewed-by: \tZ", "# comment", "(cherry picked from commit 99)"}
	if random.IntN(6) == 0 {
		return linePool[random.IntN(len(linePool))]
	}
	return good[random.IntN(len(good))]
}

func FuzzReadTrailers(f *testing.F) {
	random := rand.New(rand.NewPCG(trailerSeed, 2))
	for range 50 {
		f.Add(generateMessage(random))
	}
	f.Fuzz(func(t *testing.T, message string) {
		lines := splitLines(message)
		for _, trailer := range append(ReadTrailers(message), ReadAllTrailers(message)...) {
			if trailer.Line < 1 || trailer.Line > len(lines) || !strings.HasPrefix(lines[trailer.Line-1], trailer.Key) {
				t.Errorf("trailer %+v isn't on that line of %q", trailer, message)
			}
			if strings.ContainsAny(trailer.Value, "\n\x00") || trimSpace(trailer.Value) != trailer.Value {
				t.Errorf("the value of %+v is not one trimmed line", trailer)
			}
		}
	})
}
