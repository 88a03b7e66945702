package result

import (
	"fmt"

	"github.com/fleetgate/fleetgate/internal/value"
)

// architectPlan asks only for the file that the contract names.
func (run *Run) architectPlan() Outcome {
	name := run.Contract.Path
	var text string
	if run.Files != nil {
		text, _ = run.Files.ReadFile(workspace(run.Dir).resolve(name))
	}
	if value.IsBlank(text) {
		return run.refused(&fault{code: ArtifactMissing, reason: fmt.Sprintf("the plan %s must be a file that exists and isn't blank", name)})
	}
	return passed(Unmeasured, value.NewMap(
		value.Field("path", value.NewString(name)), value.Field("artifactDigest", value.NewString(textDigest(text)))))
}

// delegationPlan is work cut into tasks for other agents.
func (run *Run) delegationPlan(v *value.Value) Outcome {
	var p probe
	p.onlyKeys(v, "", "tasks")
	for i, item := range p.list(v.Get("tasks"), "tasks", 1, "tasks") {
		p.task(item, index("tasks", i))
	}
	return run.plain(v, p.whole(DelegationShape, DelegationPlan))
}

func (p *probe) task(v *value.Value, at string) {
	p.object(v, at, partOfShape, "id", "agent", "description", "depends_on", "writes", "mode")
	p.text(v.Get("id"), member(at, "id"))
	p.text(v.Get("agent"), member(at, "agent"))
	p.text(v.Get("description"), member(at, "description"))
	p.texts(v.Get("depends_on"), member(at, "depends_on"))
	p.texts(v.Get("writes"), member(at, "writes"))
	if mode := v.Get("mode"); mode != nil {
		p.oneOf(mode, member(at, "mode"), partOfShape, "sequential", "parallel")
	}
}
