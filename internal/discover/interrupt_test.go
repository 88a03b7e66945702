package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/fleetgate/fleetgate/builtins"
)

// counting is a tree that counts the policy documents opened, and ends a
// context at one of them.
type counting struct {
	fstest.MapFS
	opened *atomic.Int64
	last   int64
	end    context.CancelFunc
}

func (c counting) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".md") {
		if c.opened.Add(1) == c.last {
			c.end()
		}
	}
	return c.MapFS.Open(name)
}

func TestAnInterruptEndsLoadBetweenTwoFiles(t *testing.T) {
	for name, dir := range map[string]string{"recipes": agentsDir, "contracts": fleetsDir, "playbooks": playbooksDir} {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{}
			for i := range 3 * readAhead {
				texts[fmt.Sprintf("%s/%s/%d.md", Dir, dir, i)] = "---\n---\n"
			}
			ctx, end := context.WithCancel(t.Context())
			var opened atomic.Int64
			const last = 3
			_, err := Load(ctx, counting{files(texts), &opened, last, end}, Options{WorkTree: true})
			others := int64(runtime.GOMAXPROCS(0) - 1) // each may have begun with a file
			if n := opened.Load(); !errors.Is(err, context.Canceled) || n < last || n > last+others {
				t.Errorf("%d files were opened and the error is %v, want %d or up to %d more, and %v", n, err, last, others, context.Canceled)
			}
		})
	}
}

// What was read is parsed file by file too: 64 MiB of contracts take a while.
func TestAnInterruptEndsTheParsingOfWhatWasRead(t *testing.T) {
	for _, dir := range []string{agentsDir, fleetsDir} {
		ctx, end := context.WithCancel(t.Context())
		var opened atomic.Int64
		_, err := Load(ctx, counting{files(map[string]string{Dir + "/" + dir + "/a.md": "---\n---\n"}), &opened, 1, end}, Options{WorkTree: true})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", dir, err)
		}
	}
}

func TestAnInterruptEndsLoadWhereThereIsNothingToRead(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	for _, tree := range []fstest.MapFS{{}, files(map[string]string{".clio-coder/fleetgate.yaml": "version: 1\n"})} {
		_, err := Load(ctx, tree, Options{Roots: []Root{Builtin(builtins.FS, builtins.Path)}, WorkTree: true})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
}
