package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// listRepositories gives an organisation's repositories by name.
func (s *Server) listRepositories(r *http.Request) answer {
	query := s.parameters(r, "type", "sort", "direction")
	s.choice(r, query, "type", "all", "public", "private", "forks", "sources", "member")
	s.choice(r, query, "sort", "full_name")
	s.choice(r, query, "direction", "asc")
	var found []*Repository
	for _, repository := range s.state.Repositories {
		if owner, _, _ := strings.Cut(repository.Name, "/"); strings.EqualFold(owner, r.PathValue("org")) {
			found = append(found, repository)
		}
	}
	if len(found) == 0 {
		return notFound
	}
	slices.SortStableFunc(found, func(a, b *Repository) int { return cmp.Compare(a.Name, b.Name) })
	all := []any{}
	for _, repository := range found {
		all = append(all, repository.shown())
	}
	shown, links := page(s, r, query, all)
	return answer{status: http.StatusOK, header: links, body: shown}
}

func (r *Repository) shown() map[string]any {
	owner, name, _ := strings.Cut(r.Name, "/")
	topics := r.Topics
	if topics == nil {
		topics = []string{}
	}
	return map[string]any{
		"name": name, "full_name": r.Name, "owner": map[string]any{"login": owner}, "private": r.Private,
		"archived": r.Archived, "disabled": r.Disabled, "fork": r.Fork, "topics": topics,
		"default_branch": r.DefaultBranch, "clone_url": "https://github.com/" + r.Name + ".git",
	}
}
