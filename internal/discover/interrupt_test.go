package discover

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// counting is a tree that counts the policy documents opened, and ends a
// context at one of them.
type counting struct {
	fstest.MapFS
	opened *int
	last   int
	end    context.CancelFunc
}

func (c counting) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".md") {
		if *c.opened++; *c.opened == c.last {
			c.end()
		}
	}
	return c.MapFS.Open(name)
}

func TestAnInterruptEndsLoadBetweenTwoFiles(t *testing.T) {
	for name, dir := range map[string]string{"recipes": agentsDir, "contracts": fleetsDir, "playbooks": playbooksDir} {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{}
			for _, letter := range "abcdefgh" {
				texts[Dir+"/"+dir+"/"+string(letter)+".md"] = "---\n---\n"
			}
			ctx, end := context.WithCancel(t.Context())
			opened, last := 0, 3
			_, err := Load(ctx, counting{files(texts), &opened, last, end}, Options{WorkTree: true})
			if !errors.Is(err, context.Canceled) || opened != last {
				t.Errorf("%d files were opened and the error is %v, want %d and %v", opened, err, last, context.Canceled)
			}
		})
	}
}

// What was read is parsed file by file too: 64 MiB of contracts take a while.
func TestAnInterruptEndsTheParsingOfWhatWasRead(t *testing.T) {
	for _, dir := range []string{agentsDir, fleetsDir} {
		ctx, end := context.WithCancel(t.Context())
		opened := 0
		_, err := Load(ctx, counting{files(map[string]string{Dir + "/" + dir + "/a.md": "---\n---\n"}), &opened, 1, end}, Options{WorkTree: true})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", dir, err)
		}
	}
}
