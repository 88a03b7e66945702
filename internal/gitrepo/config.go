package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	format "github.com/go-git/go-git/v5/plumbing/format/config"
)

// config is a repository's own configuration: its config file and, where the
// extension asks for it, the work tree's. Included files, the user's and the
// system's configuration are not read: a verdict must not depend on them.
type config struct {
	files []*format.Config
}

// readConfig reads the configuration and refuses what can't be read here.
func readConfig(at layout) (config, error) {
	shared, err := decodeConfig(filepath.Join(at.common, "config"))
	if err != nil {
		return config{}, err
	}
	c := config{files: []*format.Config{shared}}
	if err := c.supported(); err != nil {
		return config{}, err
	}
	if !isTrue(c.get("extensions", "", "worktreeConfig")) {
		return c, nil
	}
	own, err := decodeConfig(filepath.Join(at.own, "config.worktree"))
	if err != nil {
		return config{}, err
	}
	c.files = append(c.files, own)
	return c, nil
}

// decodeConfig reads one file in git's configuration format; a missing one is empty.
func decodeConfig(path string) (*format.Config, error) {
	text, err := readControl(path)
	if errors.Is(err, fs.ErrNotExist) {
		return format.New(), nil
	}
	if err != nil {
		return nil, err
	}
	decoded, err := decodeConfigText(text)
	if err != nil {
		return nil, &ConfigError{File: path, Why: err.Error() + "; it needs each section and each setting on a line of its own, in UTF-8"}
	}
	return decoded, nil
}

// decodeConfigText decodes text in git's configuration format. The error is
// one line that begins with line and column.
func decodeConfigText(text string) (decoded *format.Config, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	decoded = format.New()
	text = strings.TrimPrefix(text, "\ufeff")
	if err := format.NewDecoder(strings.NewReader(text)).Decode(decoded); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, errors.New(line)
	}
	return decoded, nil
}

// get gives an option's last value; names are compared without case, the
// subsection's with it.
func (c config) get(section, subsection, key string) string {
	value := ""
	for _, options := range c.options(section, subsection) {
		for _, option := range options {
			if strings.EqualFold(option.Key, key) {
				value = option.Value
			}
		}
	}
	return value
}

// first gives an option's first value.
func (c config) first(section, subsection, key string) string {
	for _, options := range c.options(section, subsection) {
		for _, option := range options {
			if strings.EqualFold(option.Key, key) {
				return option.Value
			}
		}
	}
	return ""
}

// options lists the options of every section of the given name.
func (c config) options(section, subsection string) []format.Options {
	var found []format.Options
	for _, file := range c.files {
		for _, s := range file.Sections {
			if !strings.EqualFold(s.Name, section) {
				continue
			}
			if subsection == "" {
				found = append(found, s.Options)
				continue
			}
			for _, sub := range s.Subsections {
				if sub.Name == subsection {
					found = append(found, sub.Options)
				}
			}
		}
	}
	return found
}

// isTrue reads a boolean that is written out.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
