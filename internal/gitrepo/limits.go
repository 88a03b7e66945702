package gitrepo

// Limits. What exceeds one is a LimitError, never a silent cut.
const (
	// MaxPath is the longest path that a difference may name, in bytes.
	MaxPath = 4096
	// MaxDepth is how many directories deep a tree may be walked.
	MaxDepth = 1024
	// MaxTreeBytes is the largest tree object, in bytes.
	MaxTreeBytes = 128 << 20
	// MaxCommitBytes is the largest commit or tag object, in bytes.
	MaxCommitBytes = 16 << 20
	// MaxParents is how many parents a commit may have.
	MaxParents = 1000
	// MaxRoots is how many root commits one range may hold.
	MaxRoots = 4096
	// MaxSteps bounds the work of one call of Changes: a tree that holds another
	// ten times, and that one again, would otherwise be listed for ever. To open a
	// pair of trees is one step, to list a change or a decision four, so that at
	// most a million of these are listed.
	MaxSteps = 4_000_000
	// MaxFileBytes is the largest file that a commit's tree gives to ReadFile.
	// Callers with a smaller limit open the file and ask for its size.
	MaxFileBytes = 64 << 20
	// MaxBaseFolds is how many merges of merge bases one merge may need, where
	// histories were merged crosswise again and again.
	MaxBaseFolds = 256
	// MaxTagDepth is how many annotated tags may point at each other.
	MaxTagDepth = 32
	// MaxSymbolicDepth is how many symbolic references may point at each other.
	MaxSymbolicDepth = 5
	// MaxAlternates is how many alternate object directories are read.
	MaxAlternates = 64
	// MaxAlternateDepth is how deep alternates may name further alternates, as in git.
	MaxAlternateDepth = 5
	// MaxControlBytes is the largest control file (config, shallow, alternates, a
	// loose reference, .gitmodules), in bytes.
	MaxControlBytes = 16 << 20
	// MaxIndexBytes is the largest index file, in bytes.
	MaxIndexBytes = 256 << 20
	// MaxRevision is the longest revision, in bytes.
	MaxRevision = 4096
	// MaxAncestry is how many generations one ^ or ~ chain may go back.
	MaxAncestry = 1_000_000
)

// changeSteps is how many steps the listing of one change counts for.
const changeSteps = 4

// Sizes of caches. They change speed and memory, never an answer.
const (
	// TreeCacheBytes bounds the checked trees that are kept for whoever asks
	// about single ones. A worker that compares a range keeps its own with its
	// pack reader (packstore.CacheBytes).
	TreeCacheBytes = 8 << 20
	// idleReaders is how many pack readers are kept with their caches while
	// nobody reads.
	idleReaders = 2
)

// maxProblems is how many malformed entries of one tree are named.
const maxProblems = 100
