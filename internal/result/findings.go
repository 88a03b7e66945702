package result

import "github.com/fleetgate/fleetgate/internal/value"

// debuggerReport is what was found out about a failure.
func debuggerReport(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "diagnosis", "reproduction", "evidence")
	p.text(v.Get("diagnosis"), "diagnosis")
	p.oneOf(v.Get("reproduction"), "reproduction", Reproduction, "reproduced", "not-reproduced", "unknown")
	p.texts(v.Get("evidence"), "evidence")
	return p.fault
}

// researchReport is claims with evidence, from the workspace or from outside.
func (run *Run) researchReport(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "source", "findings")
	source := p.oneOf(v.Get("source"), "source", Source, "local", "external")
	findings := p.list(v.Get("findings"), "findings", 0, "{claim, evidence}")
	if source == "external" && !run.Network {
		p.fail(ExternalNoNetwork, "source", "source is external, but the run was not allowed the network; it must be local")
	}
	for i, item := range findings {
		at := index("findings", i)
		p.object(item, at, FindingShape, "claim", "evidence")
		p.text(item.Get("claim"), member(at, "claim"))
		p.text(item.Get("evidence"), member(at, "evidence"))
	}
	return p.fault
}

// worldKnowledgeReport is facts about the world outside, with their sources.
func worldKnowledgeReport(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "discovery", "facts", "synthesis", "uncertainties", "followUpVerification")
	p.oneOf(v.Get("discovery"), "discovery", partOfShape, "performed", "caller-supplied-only", "unavailable")
	for i, item := range p.list(v.Get("facts"), "facts", 0, "{claim, evidence, sources}") {
		at := index("facts", i)
		p.object(item, at, partOfShape, "claim", "evidence", "sources")
		p.text(item.Get("claim"), member(at, "claim"))
		p.text(item.Get("evidence"), member(at, "evidence"))
		p.texts(item.Get("sources"), member(at, "sources"))
	}
	p.texts(v.Get("synthesis"), "synthesis")
	p.texts(v.Get("uncertainties"), "uncertainties")
	p.texts(v.Get("followUpVerification"), "followUpVerification")
	return p.whole(WorldKnowledgeShape, WorldKnowledgeReport)
}

// provenanceReport says where something comes from, as far as that is known.
func provenanceReport(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "confirmedFacts", "missingEvidence", "nextInspections")
	p.texts(v.Get("confirmedFacts"), "confirmedFacts")
	p.texts(v.Get("missingEvidence"), "missingEvidence")
	p.texts(v.Get("nextInspections"), "nextInspections")
	return p.whole(ProvenanceShape, ProvenanceReport)
}

// oracleReport is a second opinion.
func oracleReport(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "verdict", "challenge", "changesMyMind", "citedDecisions")
	p.text(v.Get("verdict"), "verdict")
	p.text(v.Get("challenge"), "challenge")
	p.text(v.Get("changesMyMind"), "changesMyMind")
	p.texts(v.Get("citedDecisions"), "citedDecisions")
	return p.whole(OracleShape, OracleReport)
}

// contextHandbook is a project in words.
func contextHandbook(v *value.Value) *fault {
	var p probe
	p.onlyKeys(v, "", "projectName", "identity", "conventions", "invariants", "sections")
	p.text(v.Get("projectName"), "projectName")
	p.text(v.Get("identity"), "identity")
	p.texts(v.Get("conventions"), "conventions")
	p.texts(v.Get("invariants"), "invariants")
	for i, item := range p.list(v.Get("sections"), "sections", 0, "{title, body}") {
		at := index("sections", i)
		p.object(item, at, partOfShape, "title", "body")
		p.text(item.Get("title"), member(at, "title"))
		p.text(item.Get("body"), member(at, "body"))
	}
	return p.whole(HandbookShape, ContextHandbook)
}
