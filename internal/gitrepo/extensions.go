package gitrepo

import (
	"fmt"
	"slices"
	"strings"
)

// harmless are the repository extensions that change nothing for reading
// objects and references; they are dropped from what is checked.
var harmless = []string{
	"noop", "noop-v1", "partialclone", "preciousobjects", "worktreeconfig", "relativeworktrees",
}

// supported refuses a repository format, or an extension of it, that can't be
// read here, by name and with the way out. As in git, an extension that
// nobody knows counts only from format version 1 on.
func (c config) supported() error {
	version := c.get("core", "", "repositoryformatversion")
	switch version {
	case "", "0", "1":
	default:
		return &UnsupportedError{
			What: fmt.Sprintf("repository format version %s", version),
			Way:  "clone it with a git that writes version 0 or 1",
		}
	}
	for _, options := range c.options("extensions", "") {
		for _, option := range options {
			if err := supportedExtension(option.Key, option.Value, version == "1"); err != nil {
				return err
			}
		}
	}
	return nil
}

func supportedExtension(key, value string, strict bool) error {
	name, value := strings.ToLower(key), strings.ToLower(value)
	named := fmt.Sprintf("the repository extension %s=%s", key, value)
	switch {
	case slices.Contains(harmless, name):
		return nil
	case name == "objectformat" && value == "sha1", name == "refstorage" && value == "files":
		return nil
	case name == "objectformat", name == "compatobjectformat":
		return &UnsupportedError{What: named, Way: "use a repository with SHA-1 objects (`git init --object-format=sha1`)"}
	case name == "refstorage":
		return &UnsupportedError{What: named, Way: "run `git refs migrate --ref-format=files`, or clone it with `--ref-format=files`"}
	case strict:
		return &UnsupportedError{What: named, Way: "clone it anew without that extension"}
	}
	return nil
}
