package cli

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestWriteFileReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	for _, text := range []string{"first and longer", "second"} {
		if err := writeFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("got %q, %v; want %q", got, err, text)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the folder holds %v, want the report alone", entries)
	}
}

func TestWriteFileKeepsALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := writeFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "new" {
		t.Errorf("the target holds %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// A device that a rename replaced would be gone from the machine.
func TestWriteFileWritesToAPipeAsItIs(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := filepath.Join("/dev/fd", strconv.Itoa(int(w.Fd())))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no /dev/fd here: %v", err)
	}
	if err := writeFile(path, []byte("report")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(r); string(got) != "report" {
		t.Errorf("the pipe got %q", got)
	}
}

func TestWriteFileLeavesNothingBehindWhereItFails(t *testing.T) {
	dir := t.TempDir()
	if err := writeFile(dir, []byte("x")); err == nil {
		t.Error("a folder was written to")
	}
	if err := writeFile(filepath.Join(dir, "no", "such"), []byte("x")); err == nil {
		t.Error("a file in a missing folder was written")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestColourNeedsATerminal(t *testing.T) {
	a, _, _ := testApp(nil)
	if a.style().Color {
		t.Error("a buffer is no terminal")
	}
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	a.stdout = file
	if a.style().Color {
		t.Error("a file is no terminal")
	}
}
