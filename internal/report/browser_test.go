package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/verdict"
)

// browserNames are the commands by which Chromium may be installed.
var browserNames = []string{"chromium", "chromium-browser", "google-chrome"}

// browser is a Chromium without a window, spoken to over two pipes.
type browser struct {
	t       *testing.T
	in      io.Writer
	replies chan message
	next    int
	session string
	log     []string // what pages said on the console, and what failed to load
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// startBrowser skips where no Chromium is installed, unless FLEETGATE_REQUIRE
// names it.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range browserNames {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" && browserRequired() {
		t.Fatal("FLEETGATE_REQUIRE=chromium, but none is installed")
	}
	if path == "" {
		t.Skip("no Chromium is installed: the page is not looked at")
	}
	toBrowser, in := pipe(t)
	out, fromBrowser := pipe(t)
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &browser{t: t, in: in, replies: make(chan message, 100)}
	done := make(chan struct{})
	go b.listen(out, done)
	t.Cleanup(func() {
		_, _ = in.WriteString(`{"id":0,"method":"Browser.close"}` + "\x00")
		in.Close()
		for range b.replies { // what nobody reads would keep listen, and with it Chromium
			continue
		}
		if cmd.Wait() != nil {
			t.Log("Chromium ended otherwise than asked")
		}
		<-done
	})
	b.open()
	return b
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// listen hands on what the browser says, a message to each NUL.
func (b *browser) listen(out io.ReadCloser, done chan<- struct{}) {
	defer close(done)
	defer out.Close()
	defer close(b.replies)
	for in := bufio.NewReader(out); ; {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil && (m.ID > 0 || m.Method == "Page.loadEventFired" || strings.HasPrefix(m.Method, "Runtime.") || strings.HasPrefix(m.Method, "Log.") || strings.HasPrefix(m.Method, "Network.")) {
			b.replies <- m
		}
	}
}

// open attaches to a page of its own.
func (b *browser) open() {
	var target struct{ TargetID, SessionID string }
	b.into(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	b.into(&target, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Accessibility"} {
		b.call(domain+".enable", nil)
	}
}

func (b *browser) call(method string, params map[string]any) json.RawMessage {
	b.t.Helper()
	b.next++
	text, err := json.Marshal(map[string]any{"id": b.next, "method": method, "params": params, "sessionId": b.session})
	if b.session == "" {
		text, err = json.Marshal(map[string]any{"id": b.next, "method": method, "params": params})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	return b.wait(func(m message) bool { return m.ID == b.next }).Result
}

// wait takes messages until the one that is wanted, and notes what pages say meanwhile.
func (b *browser) wait(wanted func(message) bool) message {
	b.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case m, ok := <-b.replies:
			switch {
			case !ok:
				b.t.Fatal("Chromium ended")
			case m.Error != nil:
				b.t.Fatalf("Chromium refuses: %s", m.Error.Message)
			case wanted(m):
				return m
			}
			b.note(m)
		case <-limit:
			b.t.Fatal("Chromium doesn't answer")
		}
	}
}

// note keeps the console's log, and every request for anything but the page itself.
func (b *browser) note(m message) {
	switch m.Method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Network.loadingFailed":
		b.log = append(b.log, m.Method+" "+string(m.Params))
	case "Network.requestWillBeSent":
		var request struct{ Request struct{ URL string } }
		if json.Unmarshal(m.Params, &request) == nil && !strings.HasPrefix(request.Request.URL, "file:///") {
			b.log = append(b.log, "asks for "+request.Request.URL)
		}
	}
}

func (b *browser) into(result any, method string, params map[string]any) {
	b.t.Helper()
	if err := json.Unmarshal(b.call(method, params), result); err != nil {
		b.t.Fatal(err)
	}
}

// show loads a page into a window of some width, light or dark.
func (b *browser) show(file string, width int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
	b.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: file}).String()})
	b.wait(func(m message) bool { return m.Method == "Page.loadEventFired" })
}

// eval gives the value of an expression, which the browser's own debugger
// evaluates: the page's policy for content doesn't concern it.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.into(&got, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s throws %s", expression, got.ExceptionDetails)
	}
	return got.Result.Value
}

// keys presses keys one after the other.
func (b *browser) keys(names ...string) {
	b.t.Helper()
	for _, name := range names {
		params := map[string]any{"type": "keyDown", "key": name, "code": name}
		switch {
		case name == "Tab":
			params["windowsVirtualKeyCode"] = 9
		case name == "Enter":
			params["windowsVirtualKeyCode"], params["text"] = 13, "\r"
		case name == "ArrowDown":
			params["windowsVirtualKeyCode"] = 40
		case name == " ":
			params["code"], params["windowsVirtualKeyCode"], params["text"] = "Space", 32, " "
		default:
			params["text"] = name
		}
		b.call("Input.dispatchKeyEvent", params)
		params["type"] = "keyUp"
		delete(params, "text")
		b.call("Input.dispatchKeyEvent", params)
	}
}

// auditedSample is a verdict that fills every section of the page.
func auditedSample() verdict.Verdict {
	v := manyKinds()
	v.Command = "audit"
	v.Fleets = append(v.Fleets, wideFleet())
	v.Audit = &verdict.Audit{Since: sha(1), SinceDate: "2026-01-31", Timeline: []verdict.Moment{
		{Commit: sha(2), Subject: "Let docs write the sources too", Author: "Ada", Date: "2026-02-03", Changes: []diag.Diagnostic{
			{Code: "policy-widened", Severity: diag.Note, Message: `"docs/write" may now also write src/; at base it may write docs/`},
			{Code: "drift-fleet", Severity: diag.Note, Message: `fleet "docs" changed: the prompt`},
		}},
		{Commit: sha(1), Subject: "Begin", Author: "Bea", Date: "2026-02-01", Changes: []diag.Diagnostic{
			{Code: "drift-fleet", Severity: diag.Note, Message: `fleet "docs" is new`},
		}},
	}}
	return v
}

// wideFleet has every kind of step, edges that pass layers by, and a loop.
func wideFleet() verdict.Fleet {
	step := func(id, kind string, writes ...string) verdict.Step {
		return verdict.Step{ID: id, Kind: kind, Agent: "coder", Scope: "workspace", Writes: writes}
	}
	return verdict.Fleet{
		Name: "release", Path: ".clio-coder/fleets/release.md",
		Steps: []verdict.Step{
			step("scope", "agent"), step("plan", "plan", "lib/", "src/"), step("implement", "agent", "go.mod", "lib/", "src/"),
			step("docs", "agent", "README.md", "docs/", "src/doc.go"), step("api", "agent", "docs/api/"),
			step("proof.check", "code"), step("proof.repair", "agent", "src/"), step("sign-off", "gate", "reports/sign-off.md"),
			step("commit", "code", "go.mod", "lib/", "src/"),
		},
		Edges: []verdict.Edge{
			{From: "scope", To: "plan"},
			{From: "plan", To: "implement"},
			{From: "plan", To: "docs"},
			{From: "plan", To: "api"},
			{From: "implement", To: "proof.check"},
			{From: "proof.check", To: "proof.repair", Loop: true},
			{From: "proof.repair", To: "proof.check", Loop: true},
			{From: "proof.check", To: "sign-off"},
			{From: "docs", To: "sign-off"},
			{From: "api", To: "sign-off"},
			{From: "scope", To: "sign-off"},
			{From: "sign-off", To: "commit"},
			{From: "implement", To: "commit"},
		},
		Violated: []string{"docs"},
	}
}

func writePage(t *testing.T, v verdict.Verdict) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(rendered(t, HTML, sealed(t, v))), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPageInABrowser looks at the page in a real Chromium: it loads nothing,
// says nothing on the console, fits its window, and its controls work by
// keyboard alone.
func TestPageInABrowser(t *testing.T) {
	b := startBrowser(t)
	file := writePage(t, auditedSample())
	b.everyWindow("page", file)
	b.show(file, 1280, "light")
	b.filterByKeyboard()
	b.sort()
	b.accessible()
	b.silent()
}

// A test that fails leaves messages unread, more than there is room for.
func TestABrowserEndsWithMessagesUnread(t *testing.T) {
	b := startBrowser(t)
	for id := range 2 * cap(b.replies) {
		if _, err := fmt.Fprintf(b.in, `{"id":%d,"method":"Browser.getVersion"}`+"\x00", 1000+id); err != nil {
			t.Fatal(err)
		}
	}
}

const countShown = "document.querySelectorAll('#findings > li:not([hidden])').length"

// filterByKeyboard goes through the page with the tabulator, takes a severity
// away with the space bar, and types a word.
func (b *browser) filterByKeyboard() {
	b.t.Helper()
	all := b.eval(countShown).(float64)
	b.keys("Tab")
	if got := b.eval("document.activeElement.className"); got != "skip" {
		b.t.Errorf("the first stop is %q, not the link that skips to the findings", got)
	}
	for range 40 {
		if b.eval("document.activeElement.type") == "checkbox" {
			break
		}
		b.keys("Tab")
	}
	if got := b.eval("document.activeElement.value"); got != "error" {
		b.t.Fatalf("the first box is %v", got)
	}
	errors := b.eval("document.querySelectorAll('#findings > li[data-severity=error]').length").(float64)
	b.keys(" ")
	if got := b.eval(countShown); got != all-errors || errors == 0 {
		b.t.Errorf("without %v errors %v of %v findings are shown", errors, got, all)
	}
	b.keys(" ")
	b.eval("document.getElementById('filter').focus()")
	b.keys("n", "o", "s", "u", "c", "h")
	if got := b.eval(countShown); got != 0.0 {
		b.t.Errorf("%v findings hold a word that none has", got)
	}
	if got, want := b.eval("document.getElementById('shown').textContent"), fmt.Sprintf("0 of %v findings shown", all); got != want {
		b.t.Errorf("says %q, want %q", got, want)
	}
	b.eval("const f = document.getElementById('filter'); f.value = 'BOUNDARY-outside'; f.dispatchEvent(new Event('input'))")
	if got, want := b.eval(countShown), b.eval("document.querySelectorAll('#findings > li[data-code=boundary-outside]').length"); got != want || want == 0.0 {
		b.t.Errorf("%v findings hold the code, want %v", got, want)
	}
	b.eval("f.value = ''; f.dispatchEvent(new Event('input'))")
}

func (b *browser) sort() {
	b.t.Helper()
	const codes = "[...document.querySelectorAll('#findings > li')].map((item) => item.dataset.code).join(' ')"
	before := b.eval(codes)
	b.eval("const order = document.getElementById('order'); order.value = 'code'; order.dispatchEvent(new Event('change'))")
	got := strings.Fields(b.eval(codes).(string))
	if !slices.IsSorted(got) || len(got) == 0 {
		b.t.Errorf("sorted by code they are %q", got)
	}
	b.eval("order.value = ''; order.dispatchEvent(new Event('change'))")
	if after := b.eval(codes); after != before {
		b.t.Errorf("sorted back they are %q, before %q", after, before)
	}
}

// accessible asks the browser's own accessibility tree: every picture, region
// and control has a name.
func (b *browser) accessible() {
	b.t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value string }
		}
	}
	b.into(&tree, "Accessibility.getFullAXTree", nil)
	named := map[string]int{}
	for _, node := range tree.Nodes {
		role := node.Role.Value
		if node.Ignored || !slices.Contains([]string{"image", "region", "checkbox", "searchbox", "combobox", "link", "heading", "navigation"}, role) {
			continue
		}
		named[role]++
		if node.Name.Value == "" {
			b.t.Errorf("a %s has no name", role)
		}
	}
	for _, role := range []string{"image", "region", "checkbox", "searchbox", "combobox", "navigation"} {
		if named[role] == 0 {
			b.t.Errorf("the page has no %s", role)
		}
	}
}
