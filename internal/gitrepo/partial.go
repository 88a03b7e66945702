package gitrepo

// Partial says whether the clone left out objects (`git clone --filter`), so
// that what is missing is no damage and a fetch by id can bring it.
func (r *Repo) Partial() bool {
	if r.config.get("extensions", "", "partialClone") != "" {
		return true
	}
	return isTrue(r.config.get("remote", "origin", "promisor"))
}
