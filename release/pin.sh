#!/usr/bin/env bash
# Builds a release and puts its sums at the end of release/sums.txt, in place
# of those that it had: release/pin.sh VERSION. The sums are of what the next
# commit has, so there must be no other change.
set -euo pipefail

if [ $# != 1 ] || [ -z "$1" ]; then
  printf 'usage: release/pin.sh VERSION\n' >&2
  exit 2
fi
version=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sums=release/sums.txt

changed=$(git status --porcelain -- ':!release/sums.txt')
if [ -n "$changed" ]; then
  printf 'commit these first, or put them aside: the sums are of the commit alone\n%s\n' "$changed" >&2
  exit 1
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
release/build.sh "$version" "$out"
# A candidate's name begins as its release's does: fleetgate-v1.0.0-rc.1-linux-amd64.
awk -v name="fleetgate-$version-" '
  !(index($2, name) == 1 && substr($2, length(name) + 1) ~ /^[a-z0-9]+-[a-z0-9]+(\.exe)?$/) &&
    $0 != "# None is pinned yet: the action builds from source."' "$sums" >"$out/all"
cat "$out/all" "$out/sums.txt" >"$sums"
printf "now: git commit -m 'Pin %s' %s && git tag %s\n" "$version" "$sums" "$version"
