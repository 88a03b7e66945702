package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"sync"

	"github.com/fleetgate/fleetgate/internal/verdict"
)

// Bounds of the page; the JSON has all of it.
const (
	maxPageFindings = 5_000
	maxPageCommits  = 2_000
	maxPageFleets   = 100
	maxPageEntries  = 2_000 // of the map
	maxPageMoments  = 1_000 // of the timeline
	maxPageChanges  = 50    // of one moment
)

//go:embed page/page.css page/page.js page/page.html.tmpl page/survey.html.tmpl
var pageFiles embed.FS

// What only a page needs is made when the first is written: most runs write none.
var (
	pageStyle    = sync.OnceValue(func() string { return asset("page/page.css") + svgStyle })
	pageScript   = sync.OnceValue(func() string { return asset("page/page.js") })
	pageTemplate = parsedOnce("page/page.html.tmpl")
)

func parsedOnce(name string) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return template.Must(template.New(name).Parse(asset(name))) })
}

// asset reads a file that the binary holds.
func asset(name string) string {
	text, err := pageFiles.ReadFile(name)
	if err != nil {
		panic("report: " + err.Error()) // the compiler embedded it
	}
	return string(text)
}

// HTML writes the verdict as one page that needs nothing else: no network, no
// script to be read, light or dark as its reader is. Its own policy for
// content lets nothing run or load but the two parts it holds itself.
func HTML(w io.Writer, v verdict.Verdict) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, pageHead, pagePolicy(), html.EscapeString(fmt.Sprintf("fleetgate %s: %s", Name(v.Command), word(v))), pageStyle())
	if err := pageTemplate().Execute(out, newPage(v)); err != nil {
		return err
	}
	fmt.Fprintf(out, "<script>%s</script>\n</body>\n</html>\n", pageScript())
	return out.Flush()
}

const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>%s</style>
</head>
`

// pagePolicy admits the page's own style and script by their digests.
func pagePolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", source(pageStyle()), source(pageScript()))
}

func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
