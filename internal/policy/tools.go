package policy

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/diag"
	"github.com/fleetgate/fleetgate/internal/value"
)

// toolLists are the keys of tools, both required.
var toolLists = []keyExample{{"required", "required: [read]"}, {"optional", "optional: []"}}

// groupKeys is the one key of a group of tools.
var groupKeys = []string{"anyOf"}

// tools reads what the agent needs and what it can use, and flattens it:
// required with groups expanded in place, then optional (spec section 3).
func (p *parser) tools(r *Recipe) {
	v := p.root.Get("tools")
	if v == nil {
		return
	}
	if v.Kind != value.Map {
		p.refuse("recipe-tools-not-object", v, "tools", "tools must be a mapping of required and optional, not "+show(v),
			"write tools: {required: [read], optional: []}")
		return
	}
	p.admitOnly(v, "recipe-tools-unknown-key", "tools", "tools", keysOf(toolLists))
	p.require(v, "recipe-tools-missing-list", "tools", "tools", toolLists)
	required, optional := p.toolList(v, "required"), p.toolList(v, "optional")
	var flat distinct
	if required != nil {
		r.Required = p.requirements(required, &flat)
	}
	if optional != nil {
		names := p.names(optional, "tools.optional")
		r.Optional = texts(names)
		flat.add(names...)
	}
	p.refuseRepeated("recipe-tools-duplicate", "tools", flat)
	r.Tools, r.ToolPos = texts(flat.names), places(flat.names)
}

// toolList gives one of the two lists, nil where it is none.
func (p *parser) toolList(tools *value.Value, key string) *value.Value {
	v := tools.Get(key)
	if v == nil {
		return nil
	}
	if v.Kind != value.List {
		field := within("tools", key)
		p.refuse("recipe-tools-not-array", v, field, fmt.Sprintf("%s must be a list, not %s", field, show(v)), "write a list, such as [read], or [] for none")
		return nil
	}
	return v
}

// requirements reads the required entries, names and groups, and adds their names to flat.
func (p *parser) requirements(list *value.Value, flat *distinct) []Requirement {
	required := make([]Requirement, 0, len(list.Items))
	for i, item := range list.Items {
		names, ok := p.requirement(item, i)
		if !ok {
			continue
		}
		flat.add(names...)
		if item.Kind == value.Map {
			required = append(required, Requirement{AnyOf: texts(names), Pos: item.Pos})
			continue
		}
		required = append(required, Requirement{Tool: item.Text, Pos: item.Pos})
	}
	return required
}

// requirement reads one required entry: a name, or the names of a group.
func (p *parser) requirement(item *value.Value, i int) ([]value.Str, bool) {
	if item.Kind == value.Map {
		return p.group(item, requiredField(i))
	}
	if isName(item) {
		return []value.Str{{Value: item.Text, Pos: item.Pos}}, true
	}
	if item.Kind == value.String {
		p.refuseString(item, requiredField(i))
		return nil, false
	}
	p.refuse("recipe-tool-shape", item, requiredField(i),
		fmt.Sprintf("%s must be a tool's name or a group, not %s", requiredField(i), show(item)),
		"write a name such as read, or {anyOf: [write, edit]}")
	return nil, false
}

func requiredField(i int) string { return fmt.Sprintf("tools.required[%d]", i) }

// group reads the names of {anyOf: [...]}.
func (p *parser) group(v *value.Value, field string) ([]value.Str, bool) {
	list := v.Get("anyOf")
	if list == nil || len(v.Members) != 1 {
		p.refuseGroupKeys(v, field)
	}
	if list == nil {
		return nil, false
	}
	names := p.names(list, field+".anyOf")
	if list.Kind == value.List && len(list.Items) == 0 {
		p.refuse("recipe-anyof-empty", list, field+".anyOf", field+".anyOf must name at least one tool", "name the tools of which one is enough")
	}
	return names, true
}

// refuseGroupKeys refuses a group whose keys are not the one key anyOf: one
// finding for the group, as the runtime has it, that names the keys.
func (p *parser) refuseGroupKeys(v *value.Value, field string) {
	message, hint := field+" must have the one key anyOf, and is empty", ""
	for _, m := range v.Members {
		if m.Key != groupKeys[0] {
			message = fmt.Sprintf("%s must have the one key anyOf, and has %q", field, diag.Clip(m.Key))
			hint = diag.DidYouMean(m.Key, groupKeys)
			break
		}
	}
	p.refuse("recipe-tool-group-keys", v, field, message, hint+"write {anyOf: [write, edit]}")
}

// distinct collects names, each once, and those that stand again.
type distinct struct {
	names    []value.Str
	first    map[string]diag.Pos
	repeated []value.Str
}

func (d *distinct) add(names ...value.Str) {
	if d.first == nil {
		d.first = make(map[string]diag.Pos, cap(d.names))
	}
	for _, name := range names {
		if _, twice := d.first[name.Value]; twice {
			d.repeated = append(d.repeated, name)
			continue
		}
		d.first[name.Value] = name.Pos
		d.names = append(d.names, name)
	}
}

func texts(names []value.Str) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name.Value
	}
	return list
}

func places(names []value.Str) []diag.Pos {
	list := make([]diag.Pos, len(names))
	for i, name := range names {
		list[i] = name.Pos
	}
	return list
}
