package policy

import (
	"fmt"
	"strings"

	"github.com/fleetgate/fleetgate/internal/value"
)

// The keys of a budget and of its maximum, in the order in which the runtime misses them.
var (
	figureKeys = []keyExample{{"toolCalls", "toolCalls: 20"}, {"readReserve", "readReserve: 4"}}
	budgetKeys = append(figureKeys[:2:2], keyExample{"synthesis", "synthesis: true"})
)

// budget reads the budget (spec section 3).
func (p *parser) budget() Budget {
	v := p.root.Get("budget")
	if v == nil || !p.isBudget(v, "budget", budgetKeys, "maximum") {
		return Budget{}
	}
	figures, whole := p.figures(v, "budget")
	b := Budget{Figures: figures, Synthesis: p.synthesis(v.Get("synthesis"))}
	maximum := v.Get("maximum")
	if maximum == nil || !p.isBudget(maximum, "budget.maximum", figureKeys) {
		return b
	}
	upper, wholeUpper := p.figures(maximum, "budget.maximum")
	if whole && wholeUpper {
		p.atLeast(maximum, "toolCalls", upper.ToolCalls, figures.ToolCalls)
		p.atLeast(maximum, "readReserve", upper.ReadReserve, figures.ReadReserve)
	}
	b.Maximum = &upper
	return b
}

// isBudget says whether a value is a mapping, and refuses the keys that it has too many or too few.
func (p *parser) isBudget(v *value.Value, field string, required []keyExample, optional ...string) bool {
	if v.Kind != value.Map {
		p.refuse("budget-not-object", v, field, fmt.Sprintf("%s must be a mapping, not %s", field, show(v)), "its keys are "+strings.Join(keysOf(required, optional...), ", "))
		return false
	}
	p.admitOnly(v, "budget-unknown-key", field, field, keysOf(required, optional...))
	p.require(v, "budget-missing-key", field, field, required)
	return true
}

// figures reads the two numbers, and says whether both are sound.
func (p *parser) figures(v *value.Value, field string) (Figures, bool) {
	calls, callsOK := p.toolCalls(v.Get("toolCalls"), field+".toolCalls")
	reserve, reserveOK := p.readReserve(v.Get("readReserve"), field+".readReserve")
	if callsOK && reserveOK && reserve >= calls {
		p.refuse("budget-reserve-too-large", v.Get("readReserve"), field+".readReserve",
			fmt.Sprintf("%s.readReserve is %s, and must be less than toolCalls, which is %s", field, value.FormatNumber(reserve), value.FormatNumber(calls)),
			"lower readReserve, or raise toolCalls")
		reserveOK = false
	}
	return Figures{ToolCalls: calls, ReadReserve: reserve}, callsOK && reserveOK
}

func (p *parser) toolCalls(v *value.Value, field string) (float64, bool) {
	calls, ok := p.integer(v, field)
	if ok && calls <= 0 {
		p.refuse("budget-not-positive", v, field, field+" must be greater than 0, not "+show(v), "allow at least one call")
		return 0, false
	}
	return calls, ok
}

func (p *parser) readReserve(v *value.Value, field string) (float64, bool) {
	reserve, ok := p.integer(v, field)
	if ok && reserve < 0 {
		p.refuse("budget-negative-reserve", v, field, field+" must not be below 0, and is "+show(v), "write 0 for no reserve")
		return 0, false
	}
	return reserve, ok
}

// integer reads a figure; an absent one has been reported before.
func (p *parser) integer(v *value.Value, field string) (float64, bool) {
	if v == nil {
		return 0, false
	}
	if v.Kind != value.Number || !value.IsSafeInteger(v.Number) {
		p.refuse("budget-not-integer", v, field, fmt.Sprintf("%s must be a whole number, not %s", field, show(v)), "write digits alone, without quotes")
		return 0, false
	}
	return v.Number, true
}

func (p *parser) synthesis(v *value.Value) bool {
	if v != nil && v.Kind != value.Bool {
		p.refuse("budget-synthesis-type", v, "budget.synthesis", "budget.synthesis must be true or false, not "+show(v),
			"write true or false, without quotes; yes, on and 1 are no booleans")
		return false
	}
	return v != nil && v.Bool
}

// atLeast refuses a figure of the maximum that is below the default.
func (p *parser) atLeast(maximum *value.Value, key string, upper, lower float64) {
	if upper >= lower {
		return
	}
	field := "budget.maximum." + key
	p.refuse("budget-maximum-below-default", maximum.Get(key), field,
		fmt.Sprintf("%s is %s, and must not be below budget.%s, which is %s", field, value.FormatNumber(upper), key, value.FormatNumber(lower)),
		"raise it, or lower the default")
}
