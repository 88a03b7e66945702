package packstore

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// git runs the real git in dir, with fixed identities and dates.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.fsync=none"}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// history makes a repository with n commits whose files change a little each
// time, so that repacking it gives deltas.
func history(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main", ".")
	var stream bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, 400)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d %d", i, random.Uint64())
	}
	for i := range n {
		lines[random.IntN(len(lines))] = fmt.Sprintf("changed in %d: %d", i, random.Uint64())
		text := strings.Join(lines, "\n")
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n", 1700000000+i)
		fmt.Fprintf(&stream, "M 644 inline dir%d/file%d.txt\ndata %d\n%s\n", i%7, i%31, len(text), text)
	}
	cmd := exec.Command("git", "-c", "core.fsync=none", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, &stream
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return dir
}

type object struct {
	id      ID
	kind    string
	content []byte
}

// allObjects lists every object of a repository as git itself reads it.
func allObjects(t testing.TB, dir string) []object {
	t.Helper()
	cmd := exec.Command("git", "cat-file", "--batch-all-objects", "--batch", "--unordered")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []object
	in := bufio.NewReader(bytes.NewReader(out))
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return all
		}
		fields := strings.Fields(line)
		size, _ := strconv.Atoi(fields[2])
		content := make([]byte, size+1)
		if _, err := io.ReadFull(in, content); err != nil {
			t.Fatal(err)
		}
		all = append(all, object{parseID(t, fields[0]), fields[1], content[:size]})
	}
}

func parseID(t testing.TB, text string) (id ID) {
	t.Helper()
	if _, err := fmt.Sscanf(text, "%x", (*hexID)(&id)); err != nil {
		t.Fatal(err)
	}
	return id
}

type hexID ID

func (h *hexID) Scan(state fmt.ScanState, _ rune) error {
	token, err := state.Token(true, nil)
	if err != nil {
		return err
	}
	for i := range h {
		b, err := strconv.ParseUint(string(token[2*i:2*i+2]), 16, 8)
		if err != nil {
			return err
		}
		h[i] = byte(b)
	}
	return nil
}

var kindNames = map[Kind]string{Commit: "commit", Tree: "tree", Blob: "blob", Tag: "tag"}

func openStore(t testing.TB, repos ...string) *Store {
	t.Helper()
	var dirs []string
	for _, repo := range repos {
		dirs = append(dirs, filepath.Join(repo, ".git", "objects"))
	}
	s, err := Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func checkAll(t *testing.T, s *Store, want []object) {
	t.Helper()
	for _, o := range want {
		kind, content, err := s.Object(o.id)
		if err != nil {
			t.Fatalf("%x: %v", o.id, err)
		}
		if kindNames[kind] != o.kind || !bytes.Equal(content, o.content) {
			t.Fatalf("%x: another %s than git's %s", o.id, kindNames[kind], o.kind)
		}
		kind, size, err := s.Header(o.id)
		if err != nil || kindNames[kind] != o.kind || size != int64(len(o.content)) {
			t.Fatalf("%x: header is %v, %d, %v; want %s, %d", o.id, kind, size, err, o.kind, len(o.content))
		}
	}
}

// unpack turns a repository's packs into loose objects.
func unpack(t *testing.T, dir string) {
	t.Helper()
	aside := t.TempDir()
	git(t, dir, "-c", "alias.unpack=!mv .git/objects/pack/pack-* "+aside+" && for p in "+aside+"/*.pack; do git unpack-objects -q < $p; done", "unpack")
}

// split packs what is reachable from main~50n and in no pack made before.
func split(n int) []string {
	return []string{"-c", "alias.split=!git rev-list --objects main~" + strconv.Itoa(50*n) + " | git pack-objects -q --incremental .git/objects/pack/pack", "split"}
}

func TestEveryObjectReadsAsGitReadsIt(t *testing.T) {
	layouts := map[string][][]string{
		"one pack":            {{"repack", "-adfq", "--depth=250", "--window=20"}},
		"reference deltas":    {{"-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"}},
		"multi-pack index":    {{"repack", "-adfq"}, {"multi-pack-index", "write"}},
		"bitmap":              {{"repack", "-adfqb"}},
		"many packs":          {split(3), split(2), split(1), split(0)},
		"many packs, indexed": {split(3), split(2), split(1), split(0), {"multi-pack-index", "write"}},
		"some packs indexed":  {split(3), split(2), {"multi-pack-index", "write"}, split(1), split(0)},
	}
	commits := 300
	if testing.Short() {
		commits = 170 // split needs 150
	}
	for name, commands := range layouts {
		for _, mapping := range []bool{true, false} {
			if testing.Short() && !mapping && name != "one pack" {
				continue
			}
			t.Run(fmt.Sprintf("%s, mapped %v", name, mapping), func(t *testing.T) {
				useMapping = mapping
				defer func() { useMapping = true }()
				dir := history(t, commits)
				if strings.Contains(name, "packs") {
					unpack(t, dir)
				}
				for _, args := range commands {
					git(t, dir, args...)
				}
				s := openStore(t, dir)
				if strings.Contains(name, "packs") != (s.Packs() > 1) {
					t.Fatalf("%d packs", s.Packs())
				}
				checkAll(t, s, allObjects(t, dir))
			})
		}
	}
}

func TestLargeOffsetsAreFollowed(t *testing.T) {
	dir := history(t, 50)
	git(t, dir, "repack", "-adfq")
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	// Every offset goes through the 64-bit table.
	git(t, dir, "index-pack", "--index-version=2,0x40", "-o", filepath.Join(dir, "new.idx"), packs[0])
	target := strings.TrimSuffix(packs[0], ".pack") + ".idx"
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "new.idx"), target); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, dir)
	checkAll(t, s, allObjects(t, dir))
	if s.packs[0].index.larges == 0 {
		t.Error("the index has no 64-bit offsets: the test tests nothing")
	}
}

func TestAlternatesAreReadAfterTheOwnPacks(t *testing.T) {
	a, b := history(t, 20), history(t, 40)
	git(t, a, "repack", "-adfq")
	git(t, b, "repack", "-adfq")
	s := openStore(t, a, b)
	checkAll(t, s, allObjects(t, a))
	checkAll(t, s, allObjects(t, b))
}

func TestAnObjectThatNoPackHoldsIsNotFound(t *testing.T) {
	dir := history(t, 5)
	git(t, dir, "repack", "-adfq")
	s := openStore(t, dir)
	if _, _, err := s.Object(ID{1}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if has, err := s.Has(ID{0xff}); has || err != nil {
		t.Errorf("Has = %v, %v", has, err)
	}
}

func TestVersion1IndexesAreRefusedByName(t *testing.T) {
	dir := history(t, 5)
	git(t, dir, "-c", "pack.indexVersion=1", "repack", "-adfq")
	_, err := Open([]string{filepath.Join(dir, ".git", "objects")})
	if err == nil || !strings.Contains(err.Error(), "version 1 index") {
		t.Errorf("got %v", err)
	}
}

func TestReadersMayRunAtOnce(t *testing.T) {
	dir := history(t, 100)
	git(t, dir, "repack", "-adfq")
	s, all := openStore(t, dir), allObjects(t, dir)
	done := make(chan error, 4)
	for range 4 {
		go func() {
			for _, o := range all {
				if _, content, err := s.Object(o.id); err != nil || !bytes.Equal(content, o.content) {
					done <- fmt.Errorf("%x: %w", o.id, err)
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// damaged copies a repository's only pack and index, changed by mutate.
func damaged(t testing.TB, dir string, mutate func(pack, index []byte) ([]byte, []byte)) (*Store, error) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	pack, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(strings.TrimSuffix(packs[0], ".pack") + ".idx")
	if err != nil {
		t.Fatal(err)
	}
	pack, index = mutate(pack, index)
	copied := t.TempDir()
	folder := filepath.Join(copied, ".git", "objects", "pack")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"p.pack": pack, "p.idx": index} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Open([]string{filepath.Join(copied, ".git", "objects")})
}

func TestDamagedPacksGiveErrorsOrTheRightObject(t *testing.T) {
	dir := history(t, 30)
	git(t, dir, "repack", "-adfq", "--depth=50")
	all := allObjects(t, dir)
	random := rand.New(rand.NewPCG(7, 7))
	failed := 0
	for range 150 {
		s, err := damaged(t, dir, func(pack, index []byte) ([]byte, []byte) {
			target := pack
			if random.IntN(2) == 0 {
				target = index
			}
			for range 1 + random.IntN(8) {
				target[random.IntN(len(target))] = byte(random.Uint32())
			}
			if random.IntN(10) == 0 {
				pack = pack[:random.IntN(len(pack))]
			}
			return pack, index
		})
		if err != nil {
			failed++
			continue
		}
		for _, o := range all {
			if _, _, err := s.Object(o.id); err != nil {
				failed++
			}
			_, _, _ = s.Header(o.id)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed: the test damages nothing")
	}
}

func TestACycleOfDeltasEnds(t *testing.T) {
	// Two reference deltas, each the other's base.
	a, b := ID{0xaa}, ID{0xbb}
	delta := func(base ID) []byte {
		body := deflate(t, []byte{1, 1, 1, 'x'})
		return append(append([]byte{byte(refDelta)<<4 | 4}, base[:]...), body...)
	}
	pack := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x02")
	first := len(pack)
	pack = append(pack, delta(b)...)
	second := len(pack)
	pack = append(pack, delta(a)...)
	pack = append(pack, make([]byte, 20)...)
	s := craft(t, pack, map[ID]int{a: first, b: second})
	_, _, err := s.Object(a)
	var format *FormatError
	if !errors.As(err, &format) || !strings.Contains(err.Error(), "chain") {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Header(a); err == nil {
		t.Error("Header followed the cycle to an end")
	}
}

func TestAbsurdSizesAreRefusedBeforeTheyAreAllocated(t *testing.T) {
	// A blob that promises 500 MiB in a few bytes.
	size := 500 << 20
	header := []byte{byte(Blob)<<4 | byte(size&15) | 0x80}
	for size >>= 4; size > 0x7f; size >>= 7 {
		header = append(header, byte(size)|0x80)
	}
	header = append(header, byte(size))
	pack := append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01"), header...)
	pack = append(pack, deflate(t, []byte("x"))...)
	pack = append(pack, make([]byte, 20)...)
	id := ID{0x12}
	s := craft(t, pack, map[ID]int{id: 12})
	allocated := testing.AllocsPerRun(1, func() {
		if _, _, err := s.Object(id); err == nil || !strings.Contains(err.Error(), "promises") {
			t.Errorf("got %v", err)
		}
	})
	if allocated > 100 {
		t.Errorf("%v allocations", allocated)
	}
}
