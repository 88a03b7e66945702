#!/usr/bin/env bash
# Prints the path of axe-core's script, which the tests of the HTML pages run in
# a browser: FLEETGATE_AXE=$(tools/axe.sh). It is fetched once, by npm, into a
# cache; the package must have the sum that stands here. Needs npm and openssl.
set -euo pipefail

version=4.14.1
sum=FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ== # SHA-512

cache=${FLEETGATE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fleetgate}
package=$cache/axe-core-$version.tgz
script=$cache/axe-core-$version/axe.min.js

stop() {
  printf 'axe.sh: %s\n' "$1" >&2
  exit 1
}

genuine() { [ -f "$1" ] && [ "$(openssl dgst -sha512 -binary "$1" | openssl base64 -A)" = "$sum" ]; }

# The script is taken out of the package each time: what lies in a cache may be
# anything, and only the package has a sum.
if ! genuine "$package"; then
  mkdir -p "$cache"
  temp=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$temp"' EXIT
  (cd "$temp" && npm pack --silent "axe-core@$version" >/dev/null) || stop "npm can't fetch axe-core@$version"
  genuine "$temp/axe-core-$version.tgz" || stop "axe-core@$version has another sum than the one that is pinned: it is not used"
  mv -f "$temp/axe-core-$version.tgz" "$package"
fi
mkdir -p "${script%/*}"
tar -xOzf "$package" package/axe.min.js >"$script.new"
mv -f "$script.new" "$script"
printf '%s\n' "$script"
