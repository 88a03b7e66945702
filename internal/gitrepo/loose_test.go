package gitrepo

import (
	"bytes"
	"compress/zlib"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fleetgate/fleetgate/internal/boundary"
)

// deflated is what a loose object's file holds.
func deflated(tb testing.TB, content string) string {
	tb.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write([]byte(content)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

func TestALooseObjectIsWhatItsHeaderSays(t *testing.T) {
	git := newGit(t)
	id := boundary.OID{0xab, 0xcd}
	for name, c := range map[string]struct{ raw, want string }{
		"right":              {deflated(t, "blob 4\x00text"), ""},
		"empty":              {deflated(t, "blob 0\x00"), "has 0 bytes"},
		"shorter":            {deflated(t, "blob 5\x00text"), "is shorter than it says"},
		"longer":             {deflated(t, "blob 3\x00text"), "is longer than it says"},
		"much shorter":       {deflated(t, "blob 60000000\x00text"), "is shorter than it says"},
		"no end of header":   {deflated(t, "blob 4"), "has a header without end"},
		"a long header":      {deflated(t, "blob "+strings.Repeat("0", 100)+"4\x00text"), "has a header without end"},
		"another type":       {deflated(t, "tree 0\x00"), "is a tree"},
		"an unknown type":    {deflated(t, "blub 4\x00text"), "has the unknown type"},
		"a delta":            {deflated(t, "ofs-delta 4\x00text"), "has the unknown type"},
		"no size":            {deflated(t, "blob \x00text"), "has the impossible size"},
		"a negative size":    {deflated(t, "blob -4\x00text"), "has the impossible size"},
		"an absurd size":     {deflated(t, "blob 99999999999\x00text"), "exceeds the limit"},
		"no zlib":            {"text", "can't be inflated"},
		"nothing":            {"", "can't be inflated"},
		"cut off":            {deflated(t, "blob 400\x00"+strings.Repeat("text", 100))[:20], "is malformed"},
		"with a wrong check": {deflated(t, "blob 4\x00text")[:15] + "\x00\x00\x00\x00", "can't be inflated"},
	} {
		t.Run(name, func(t *testing.T) {
			writeFile(t, git.loose(id), c.raw)
			content, err := git.open().Blob(id, MaxFileBytes)
			switch {
			case c.want == "" && (err != nil || string(content) != "text"):
				t.Errorf("gives %q, %v", content, err)
			case c.want == "has 0 bytes" && (err != nil || len(content) != 0):
				t.Errorf("gives %q, %v", content, err)
			case c.want != "" && c.want != "has 0 bytes" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("gives %q, %v, want %q", content, err, c.want)
			}
		})
	}
}

// FuzzLooseObject holds that no bytes of a loose object make reading it panic,
// and that what is read is as long as its header says.
func FuzzLooseObject(f *testing.F) {
	f.Add([]byte(deflated(f, "blob 4\x00text")))
	f.Add([]byte(deflated(f, "commit 99999\x00")))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		id := boundary.OID{0xab}
		path := filepath.Join(dir, id.String()[:2], id.String()[2:])
		writeFile(t, path, string(raw))
		loose := looseObjects{dir}
		_, content, err := loose.read(id, 1<<20)
		_, size, headerErr := loose.header(id)
		if err == nil && (headerErr != nil || size != int64(len(content))) {
			t.Errorf("the header says %d (%v), the object has %d", size, headerErr, len(content))
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	})
}
