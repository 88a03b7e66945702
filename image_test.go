package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The image is built for real where buildah is there and may be used. It has
// the binary, the folder to mount a repository at, and nothing else.
func TestTheImageHasTheBinaryAndRunsAsNobody(t *testing.T) {
	buildah, err := exec.LookPath("buildah")
	if err != nil || os.Geteuid() != 0 || testing.Short() {
		t.Skip("no buildah in PATH, or not root")
	}
	t.Parallel()
	s := &source{t: t, dir: t.TempDir(), env: os.Environ()}
	binary := filepath.Join(s.dir, "dist", "fleetgate-v0.0.7-linux-"+runtime.GOARCH)
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"Dockerfile", ".dockerignore", "README.md"} {
		copyFile(t, name, filepath.Join(s.dir, name))
	}
	storage := []string{"--storage-driver", "vfs", "--root", t.TempDir(), "--runroot", t.TempDir()}
	image := func(args ...string) (int, string) { return s.run(buildah, append(storage, args...)...) }
	if code, out := image("bud", "--isolation", "chroot", "--build-arg", "VERSION=v0.0.7", "--build-arg", "TARGETARCH="+runtime.GOARCH, "--tag", "fleetgate", "."); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	code, container := image("from", "fleetgate")
	if code != 0 {
		t.Fatal(container)
	}
	container = strings.TrimSpace(container)
	_, root := image("mount", container)
	if got := below(t, strings.TrimSpace(root)); got != "-r-xr-xr-x fleetgate\ndrwxr-xr-x repo\n" {
		t.Errorf("the image holds:\n%s", got)
	}
	_, user := image("inspect", "--format", "{{.OCIv1.Config.User}}", container)
	_, entry := image("inspect", "--format", "{{.OCIv1.Config.Entrypoint}}", container)
	if strings.TrimSpace(user) != "65532:65532" || strings.TrimSpace(entry) != "[/fleetgate]" {
		t.Errorf("user %s, entry point %s", user, entry)
	}
	if code, out := s.run(binary, "demo", "--keep", "demo"); code != 0 {
		t.Fatal(out)
	}
	code, out := image("run", "--isolation", "chroot", "--volume", filepath.Join(s.dir, "demo")+":/repo:ro", container, "--", "/fleetgate", "check", "--base", "main")
	if code != 1 || !strings.Contains(out, "boundary-outside") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// below lists all that is in a folder, with modes.
func below(t *testing.T, root string) string {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		list.WriteString(info.Mode().String() + " " + entry.Name() + "\n")
	}
	return list.String()
}
