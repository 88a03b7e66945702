#!/usr/bin/env bash
# Builds a release: release/build.sh VERSION OUTDIR. The same commit gives the
# same bytes on any machine and in any folder, so that the sums can be committed
# before the tag that they belong to, and anybody can check them after it.
# TARGETS, a list of OS/ARCH, builds fewer. OUTDIR/sums.txt has the sums as
# release/sums.txt wants them.
set -euo pipefail

# The compiler decides the bytes. Go fetches this one where it isn't at hand.
toolchain=go1.26.8

targets=${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
version=${1:-} out=${2:-}
if ! [[ $version =~ ^v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$ ]] || [ -z "$out" ] || [ $# -gt 2 ]; then
  printf 'usage: release/build.sh VERSION OUTDIR, such as v1.2.3 dist\n' >&2
  exit 2
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Whatever else a machine's settings change about a build is left out. Where
# modules come from stays: go.sum says what they are.
for name in GOPROXY GONOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOINSECURE GOVCS GOMODCACHE GOCACHE; do
  export "$name=$(GOEXPERIMENT='' go env "$name")" # of an experiment that this Go doesn't know it makes an error
done
export GOENV=off GOTOOLCHAIN=$toolchain GOWORK=off GO111MODULE=on GOFLAGS=-mod=readonly
export CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 GOFIPS140=off GOEXPERIMENT='' GODEBUG=''
unset GOROOT GOTOOLDIR GOBIN

sum() {
  if command -v sha256sum >/dev/null; then
    sha256sum -- "$1" | sed 's/ \*/  /'
  else
    shasum -a 256 -- "$1"
  fi
}

: >"$out/sums.txt"
for target in $targets; do
  os=${target%/*} arch=${target#*/}
  name=fleetgate-$version-$os-$arch
  [ "$os" != windows ] || name=$name.exe
  GOOS=$os GOARCH=$arch go build -trimpath -buildvcs=false \
    -ldflags "-s -w -buildid= -X github.com/fleetgate/fleetgate/internal/cli.version=$version" \
    -o "$out/$name" .
  (cd "$out" && sum "$name") | tee -a "$out/sums.txt"
done
