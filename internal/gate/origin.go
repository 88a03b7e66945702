package gate

import (
	"cmp"
	"net/url"
	"strings"
)

const defaultServer = "https://github.com"

// defaultPorts are the ports of an address that names none.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git": "9418"}

// isOrigin says whether a remote's address is the given repository on the
// given server. refs/remotes/origin/X is the base branch only then: an origin
// that is a fork names somebody else's branches (design.md, Base, head, range).
//
// A host may have other servers beside this one, each on a port of its own: an
// address of the web must have the server's port. What speaks another protocol
// has no port to compare, and must have that protocol's own.
func isOrigin(remote, server, repository string) bool {
	if server == "" {
		server = defaultServer
	}
	want, err := url.Parse(server)
	if err != nil || want.Host == "" || repository == "" {
		return false
	}
	at, ok := readRemote(remote)
	if !ok {
		return false
	}
	port := defaultPorts[at.scheme]
	if at.scheme == "https" || at.scheme == "http" {
		port = portOf(want)
	}
	if prefix := strings.Trim(want.Path, "/"); prefix != "" {
		repository = prefix + "/" + repository
	}
	return strings.EqualFold(at.host, want.Hostname()) && at.port == port && strings.EqualFold(at.path, repository)
}

func portOf(u *url.URL) string { return cmp.Or(u.Port(), defaultPorts[u.Scheme]) }

// address is where a remote lies: host without brackets, path without .git.
type address struct{ scheme, host, port, path string }

// readRemote reads https://, ssh:// and scp-like addresses.
func readRemote(remote string) (at address, ok bool) {
	u, err := url.Parse(remote)
	if err != nil || u.Host == "" {
		return readSCP(remote)
	}
	at = address{u.Scheme, u.Hostname(), portOf(u), trimRepository(u.Path)}
	return at, defaultPorts[u.Scheme] != ""
}

// readSCP reads user@host:path, and the forms with brackets that git knows:
// [user@host:port]:path and user@[host]:path.
func readSCP(remote string) (at address, ok bool) {
	host, path, found := strings.Cut(remote, ":")
	if open := strings.IndexByte(host, '['); open >= 0 {
		host, path, found = strings.Cut(remote, "]:")
		host = host[:open] + host[open+1:]
	}
	if !found || strings.Contains(host, "/") {
		return address{}, false
	}
	if _, name, hasUser := strings.Cut(host, "@"); hasUser {
		host = name
	}
	at = address{"ssh", host, defaultPorts["ssh"], trimRepository(path)}
	if name, port, hasPort := strings.Cut(host, ":"); hasPort && !strings.Contains(port, ":") {
		at.host, at.port = name, port
	}
	return at, at.host != ""
}

func trimRepository(path string) string {
	return strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}
