package action

import "context"

// Clone clones the repository's default branch into a folder that isn't there
// yet, without a work tree and without the contents of files: what a judgement
// reads of them is fetched by id when it is missed. The token stands neither
// in git's arguments nor in the clone. References are files, whatever a new
// repository has here by default: that is what is read. The error is a *FetchError.
func (f *Fetcher) Clone(ctx context.Context, dir string) error {
	s, err := f.source(Request{})
	if err != nil {
		return err
	}
	_, err = f.run(ctx, s, "the history", gitCall{args: []string{
		"-c", "init.defaultRefFormat=files", "clone", "--quiet", "--filter=blob:none", "--no-checkout", "--single-branch", "--no-tags", "--template=", "--", s.url, dir,
	}})
	return err
}
