#!/usr/bin/env bash
# Says whether what release/build.sh made is what release/sums.txt pins:
# release/verify.sh VERSION OUTDIR. Nothing is missing, nothing is left over.
set -euo pipefail

[ $# = 2 ] || { printf 'usage: release/verify.sh VERSION OUTDIR\n' >&2; exit 2; }
version=$1 out=$2
# A candidate's name begins as its release's does: fleetgate-v1.0.0-rc.1-linux-amd64.
pinned=$(awk -v name="fleetgate-$version-" '
  index($2, name) == 1 && substr($2, length(name) + 1) ~ /^[a-z0-9]+-[a-z0-9]+(\.exe)?$/' "$(dirname "${BASH_SOURCE[0]}")/sums.txt" | sort -k 2)
if [ -z "$pinned" ]; then
  printf "release/sums.txt pins no %s: run 'make release-sums VERSION=%s', commit it, and tag that commit\n" "$version" "$version" >&2
  exit 1
fi
# All of the folder is published.
others=$(find "$out" -mindepth 1 ! \( -type f \( -name 'fleetgate-*' -o -name sums.txt \) \))
if [ -n "$others" ]; then
  printf 'this is no part of a release, take it away:\n%s\n' "$others" >&2
  exit 1
fi
built=$(cd "$out" && for file in fleetgate-*; do
  if command -v sha256sum >/dev/null; then sha256sum <"$file"; else shasum -a 256 <"$file"; fi | sed "s/ .*/  $file/"
done | sort -k 2)
if [ "$pinned" != "$built" ]; then
  printf "what was built is not what release/sums.txt pins for %s (-pinned +built); make the sums anew with 'make release-sums VERSION=%s':\n" "$version" "$version" >&2
  diff <(printf '%s\n' "$pinned") <(printf '%s\n' "$built") | sed -n 's/^< /-/p; s/^> /+/p' >&2
  exit 1
fi
printf '%s is what release/sums.txt pins: %d files\n' "$version" "$(printf '%s\n' "$built" | wc -l)"
