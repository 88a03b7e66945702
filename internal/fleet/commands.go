package fleet

import (
	"fmt"
	stdpath "path"
	"slices"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/strictyaml"
	"github.com/fleetgate/fleetgate/internal/value"
)

// Registry is the command registry.
type Registry struct {
	Path     string
	Commands []Command // in the runtime's key order

	index map[string]int // ids to places in Commands
}

// Command is one registered command.
type Command struct {
	ID          value.Str
	Argv        []string
	Slots       []Slot // nil where not declared
	Cwd         string // POSIX-normalised, relative; empty is the repository's root
	TimeoutMs   float64
	Env         []string // names of variables; besides them it gets PATH HOME LANG LC_ALL TZ TMPDIR, and nothing else
	Description string
}

// Slot is one declared argument.
type Slot struct {
	Name      string
	MaxLength int // UTF-16 code units
}

// Command finds a command by its id.
func (r *Registry) Command(id string) (*Command, bool) {
	at, registered := r.index[id]
	if !registered {
		return nil, false
	}
	return &r.Commands[at], true
}

// IDs lists the registered ids, sorted.
func (r *Registry) IDs() []string {
	ids := make([]string, len(r.Commands))
	for i := range r.Commands {
		ids[i] = r.Commands[i].ID.Value
	}
	value.SortUTF16(ids)
	return ids
}

// ParseCommands reads commands.yaml (spec section 5). The first finding is the
// one that the runtime would report: the whole schema, then command by command
// its id, executable, env, slots and cwd. The registry is nil exactly when
// there is a finding.
func ParseCommands(path string, text []byte) (*Registry, []diag.Diagnostic) {
	root, found := strictyaml.Parse(path, text, codeInvalidYAML)
	if root == nil {
		return nil, found
	}
	p := &commandsParser{findings: findings{Findings: diag.Findings{List: found}}, faulty: map[string]bool{}}
	p.checkSchema(root)
	commands := root.Get("commands")
	if commands == nil || commands.Kind != value.Map {
		return nil, p.List
	}
	r := &Registry{Path: path, index: make(map[string]int, len(commands.Members))}
	for i, m := range commands.Members {
		r.index[m.Key] = i
		r.Commands = append(r.Commands, p.command(m))
	}
	if len(p.List) > 0 {
		return nil, p.List
	}
	return r, nil
}

type commandsParser struct {
	findings
	faulty map[string]bool // commands that the schema refuses, by id
}

func (p *commandsParser) checkSchema(root *value.Value) {
	c := checker{family: "commands", at: make(path, 0, 8), subject: commandSubject}
	c.report = func(at path, d diag.Diagnostic) bool {
		if len(at) > 1 && at[0].key == "commands" {
			p.faulty[at[1].key] = true
		}
		return p.add(d)
	}
	c.check(root, registrySchema)
}

func commandSubject(at path) (thing string, rest path) {
	if len(at) > 1 && at[0].key == "commands" {
		return commandName(at[1].key), at[2:]
	}
	return "the registry", at
}

func commandName(id string) string { return "command " + quote(id) }

// command reads one command and holds it against the rules beyond the schema.
func (p *commandsParser) command(m value.Member) Command {
	c := Command{ID: value.Str{Value: m.Key, Pos: m.KeyPos}, TimeoutMs: DefaultTimeoutMs}
	at := path{{key: "commands", index: -1}, {key: m.Key, index: -1}}
	if !isCommandID(m.Key) {
		p.addAt(codeCommandID, m.KeyPos, at,
			commandName(m.Key)+": an id is a lower-case letter or digit, then lower-case letters, digits, . _ or - (at most 64)", "rename the command")
	}
	if p.faulty[m.Key] {
		return c
	}
	for _, field := range m.Value.Members {
		p.field(&c, field)
	}
	p.checkExecutable(m, at)
	p.checkEnv(m, at)
	p.checkSlots(m, at)
	c.Cwd = p.checkCwd(m, at)
	return c
}

func (p *commandsParser) field(c *Command, m value.Member) {
	switch m.Key {
	case "argv":
		c.Argv = plain(strs(m.Value))
	case "argumentSlots":
		for _, item := range m.Value.Items {
			c.Slots = append(c.Slots, Slot{Name: item.Get("name").Text, MaxLength: whole(item.Get("maxLength"), MaxArgUnits)})
		}
	case "timeoutMs":
		c.TimeoutMs = m.Value.Number
	case "env":
		c.Env = plain(strs(m.Value))
	case "description":
		c.Description = m.Value.Text
	}
}

func (p *commandsParser) checkExecutable(m value.Member, at path) {
	executable := m.Value.Get("argv").Items[0]
	if value.IsBlank(executable.Text) {
		p.addAt(codeEmptyExecutable, executable.Pos, at.with("argv").at(0),
			commandName(m.Key)+": the first entry of argv is the program to run; it must not be blank", "name a program, such as argv: [make, test]")
	}
}

func (p *commandsParser) checkEnv(m value.Member, at path) {
	env := m.Value.Get("env")
	if env == nil {
		return
	}
	for i, item := range env.Items {
		if !isEnvName(item.Text) {
			p.addAt(codeEnvName, item.Pos, at.with("env").at(i),
				fmt.Sprintf("%s: env names variables in capitals, digits and _; %s is no such name", commandName(m.Key), show(item)),
				"name the variable alone; its value comes from the environment that runs the fleet")
		}
	}
}

// checkSlots looks for what the schema can't say: that names are distinct.
func (p *commandsParser) checkSlots(m value.Member, at path) {
	slots := m.Value.Get("argumentSlots")
	if slots == nil {
		return
	}
	first := map[string]*value.Value{}
	for _, item := range slots.Items {
		name := item.Get("name")
		earlier := first[name.Text]
		if earlier == nil {
			first[name.Text] = name
			continue
		}
		d := p.addAt(codeSlotsDeclaration, name.Pos, at.with("argumentSlots"),
			fmt.Sprintf("%s: two argument slots have the name %s", commandName(m.Key), show(name)), "give each slot a name of its own")
		*d = d.WithRelated(earlier.Pos, "first declared here")
		return
	}
}

// checkCwd gives the command's working directory, normalised.
func (p *commandsParser) checkCwd(m value.Member, at path) string {
	cwd := m.Value.Get("cwd")
	if cwd == nil {
		return ""
	}
	clean := cleanDir(cwd.Text)
	switch {
	case strings.HasPrefix(clean, "/"):
		p.addAt(codeCwdAbsolute, cwd.Pos, at.with("cwd"),
			fmt.Sprintf("%s: cwd %s is absolute; it is relative to the repository's root", commandName(m.Key), show(cwd)), "write the folder as the repository has it")
	case slices.Contains(strings.FieldsFunc(clean, isSlash), ".."):
		p.addAt(codeCwdEscape, cwd.Pos, at.with("cwd"),
			fmt.Sprintf("%s: cwd %s leads out of the repository", commandName(m.Key), show(cwd)), "write a folder inside the repository")
	}
	return clean
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// cleanDir normalises a POSIX path as the runtime does: segments are resolved,
// a trailing slash stays, and "." is the root, "".
func cleanDir(dir string) string {
	clean := stdpath.Clean(dir)
	if strings.HasSuffix(dir, "/") && clean != "/" {
		clean += "/"
	}
	if clean == "." {
		return ""
	}
	return clean
}
