package gate

import (
	"net/url"
	"strings"
)

const defaultServer = "https://github.com"

// isOrigin says whether a remote's address is the given repository on the
// given server. refs/remotes/origin/X is the base branch only then: an origin
// that is a fork names somebody else's branches (design.md, Base, head, range).
func isOrigin(remote, server, repository string) bool {
	if server == "" {
		server = defaultServer
	}
	want, err := url.Parse(server)
	if err != nil || want.Host == "" || repository == "" {
		return false
	}
	host, path, ok := splitRemote(remote)
	if !ok {
		return false
	}
	prefix := strings.Trim(want.Path, "/")
	if prefix != "" {
		repository = prefix + "/" + repository
	}
	return strings.EqualFold(host, want.Hostname()) && strings.EqualFold(path, repository)
}

// splitRemote reads https://, ssh:// and scp-like addresses into a host name
// and a path without .git.
func splitRemote(remote string) (host, path string, ok bool) {
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http", "ssh", "git":
			return u.Hostname(), trimRepository(u.Path), true
		}
		return "", "", false
	}
	before, after, found := strings.Cut(remote, ":")
	if !found || strings.Contains(before, "/") {
		return "", "", false
	}
	if _, name, hasUser := strings.Cut(before, "@"); hasUser {
		before = name
	}
	return before, trimRepository(after), before != ""
}

func trimRepository(path string) string {
	return strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}
