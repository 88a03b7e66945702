package policy

import (
	"path"
	"strings"

	"github.com/fleetgate/fleetgate/internal/diag"
)

// extension is how a recipe's file name ends.
const extension = ".md"

// IDFromPath gives the id of a recipe that lies at file, below the agents'
// directory root (slash paths): its base name without .md (spec section 3).
// Where the place gives no id, refusal says why: recipe-id-outside-root,
// recipe-id-nested or recipe-id-extension.
func IDFromPath(root, file string) (id string, refusal diag.Code) {
	relative, inside := below(path.Clean(root), path.Clean(file))
	if !inside {
		return "", "recipe-id-outside-root"
	}
	if strings.Contains(relative, "/") {
		return "", "recipe-id-nested"
	}
	if path.Ext(relative) != extension || relative == extension {
		return "", "recipe-id-extension"
	}
	return strings.TrimSuffix(relative, extension), ""
}

// below gives file relative to root. As the runtime has it, a name that begins
// with two dots counts as leaving root, whatever follows them.
func below(root, file string) (relative string, inside bool) {
	switch {
	case root == "/":
		relative = strings.TrimPrefix(file, "/")
	case root == "." && !path.IsAbs(file):
		relative = file
	case strings.HasPrefix(file, root+"/"):
		relative = file[len(root)+1:]
	default:
		return "", false
	}
	return relative, relative != "" && relative != "." && !strings.HasPrefix(relative, "..")
}
