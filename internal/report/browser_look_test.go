package report

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the tests in a browser see they keep: `go test ./internal/report -run
// Browser -artifacts -outputdir DIR` leaves, for each page, its pictures, what
// axe-core found (axe-*.json) and what was said on the console (console.log).

// browserRequired says whether a test that can't look at the pages fails.
func browserRequired() bool {
	return slices.Contains(strings.Split(os.Getenv("FLEETGATE_REQUIRE"), ","), "chromium")
}

// keep writes a file beside the test's others, and gives its path.
func (b *browser) keep(name string, data []byte) string {
	b.t.Helper()
	path := filepath.Join(b.t.ArtifactDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// picture keeps a picture of the whole page.
func (b *browser) picture(name string) {
	b.t.Helper()
	var shot struct{ Data string }
	b.into(&shot, "Page.captureScreenshot", map[string]any{"captureBeyondViewport": true})
	picture, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil || len(picture) == 0 {
		b.t.Fatalf("no picture: %v", err)
	}
	b.keep(name, picture)
}

// everyWindow looks at a page in a wide window and a narrow one, light and
// dark, as it opens and with all that can be unfolded.
func (b *browser) everyWindow(name, file string) {
	b.t.Helper()
	for _, width := range []int{1280, 400} {
		for _, scheme := range []string{"light", "dark"} {
			b.show(file, width, scheme)
			for _, state := range []string{"", "-unfolded"} {
				look := fmt.Sprintf("%s-%d-%s%s", name, width, scheme, state)
				if got := b.eval("document.documentElement.scrollWidth"); got != float64(width) {
					b.t.Errorf("%s: the page is %v wide", look, got)
				}
				b.picture(look + ".png")
				b.axe(look)
				b.eval("document.querySelectorAll('details').forEach((d) => { d.open = true })")
			}
		}
	}
}

// axeScript finds axe-core: what FLEETGATE_AXE names, or what tools/axe.sh has
// left in the cache. Where a browser is required, it is, too.
func axeScript(t *testing.T) string {
	t.Helper()
	file := os.Getenv("FLEETGATE_AXE")
	if cache, err := os.UserCacheDir(); file == "" && err == nil {
		found, _ := filepath.Glob(filepath.Join(cache, "fleetgate", "axe-core-*", "axe.min.js"))
		file = strings.Join(found[max(len(found)-1, 0):], "")
	}
	if file == "" && browserRequired() {
		t.Fatal("FLEETGATE_REQUIRE=chromium, but there is no axe-core: set FLEETGATE_AXE=$(tools/axe.sh)")
	}
	if file == "" {
		t.Log("no axe-core: its rules aren't looked at; tools/axe.sh fetches it")
		return ""
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

type axeViolation struct {
	ID    string
	Nodes []struct{ HTML, FailureSummary string }
}

// axe runs axe-core's rules on the page as it is shown, which must find nothing.
func (b *browser) axe(look string) {
	b.t.Helper()
	if script := axeScript(b.t); script != "" {
		for _, v := range b.axeFinds(script, look) {
			b.t.Errorf("%s: axe-core: %s: %+v", look, v.ID, v.Nodes)
		}
	}
}

// axeFinds keeps what axe-core finds, and gives it as the file has it.
func (b *browser) axeFinds(script, look string) []axeViolation {
	b.t.Helper()
	b.eval(script + "\n;0")
	found, ok := b.eval("axe.run(document, {resultTypes: ['violations']}).then((r) => JSON.stringify({testEngine: r.testEngine, violations: r.violations, passes: r.passes.length}, null, 1))").(string)
	if !ok {
		b.t.Fatal("axe-core gives no result")
	}
	kept, err := os.ReadFile(b.keep("axe-"+look+".json", []byte(found)))
	if err != nil {
		b.t.Fatal(err)
	}
	var result struct {
		Violations []axeViolation
		Passes     int
	}
	if err := json.Unmarshal(kept, &result); err != nil || result.Passes < 10 || result.Violations == nil {
		b.t.Fatalf("%s: %d rules of axe-core passed: %v", look, result.Passes, err)
	}
	return result.Violations
}

// TestWhatLooksAtPagesInABrowserSees plants what must be seen.
func TestWhatLooksAtPagesInABrowserSees(t *testing.T) {
	b := startBrowser(t)
	script := axeScript(t)
	if script == "" {
		t.Skip("no axe-core")
	}
	b.show(writePage(t, auditedSample()), 400, "dark")
	b.eval("document.querySelector('.soft, .shown').style.color = '#222'; document.querySelector('h1').insertAdjacentHTML('beforeend', '<img src=\"data:,x\">'); console.log('said')")
	var ids []string
	for _, v := range b.axeFinds(script, "planted") {
		ids = append(ids, v.ID)
	}
	if diff := cmp.Diff([]string{"color-contrast", "image-alt"}, ids); diff != "" {
		t.Errorf("planted (-want +found):\n%s", diff)
	}
	if !slices.ContainsFunc(b.log, func(line string) bool { return strings.Contains(line, "said") }) {
		t.Errorf("the console's log is %q", b.log)
	}
}

// silent says that nothing was said on the console, and nothing asked for.
func (b *browser) silent() {
	b.t.Helper()
	kept, err := os.ReadFile(b.keep("console.log", []byte(strings.Join(b.log, "\n"))))
	if err != nil || len(kept) > 0 {
		b.t.Errorf("the page says, or asks for:\n%s%v", kept, err)
	}
}
