#!/usr/bin/env bash
# Runs the gate as a step of a job. The binary is a release's, whose SHA-256
# stands in release/sums.txt beside this script, or one that is built here from
# source. Whatever keeps it from running ends the step with 2 (how it is set
# up) or 3 (nothing was decided): never like a pass. With arguments it runs that
# command in place of the step's, and its own log goes to standard error.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
sums=$root/release/sums.txt
exe=
log=1    # the descriptor that the log goes to
partial= # a download that isn't verified yet

main() {
  [ $# -eq 0 ] || log=2
  detect
  local version binary
  version=$(wanted)
  if [ "$version" = source ]; then
    built
  elif cached "$version"; then
    say "$version, from the tool cache"
  elif ! downloaded "$version"; then
    built
  fi
  unset INPUT_VERSION
  exec "$binary" "${@:-action}"
}

say() { printf 'fleetgate: %s\n' "$1" >&"$log"; }

# stop CODE MESSAGE ends the step; the message becomes one line.
stop() {
  local message=${2//$'\n'/ } reason=error
  message=${message//$'\r'/ }
  printf '::error title=fleetgate::%s\n' "${message//%/%25}" >&2
  [ "$1" != 2 ] || reason=configuration
  [ -z "${GITHUB_OUTPUT:-}" ] || printf 'verdict=undecided\nreason=%s\n' "$reason" >>"$GITHUB_OUTPUT"
  exit "$1"
}

# detect sets os, arch and exe as release names have them.
detect() {
  case ${RUNNER_OS:-$(uname -s)} in
    Linux) os=linux ;;
    macOS | Darwin) os=darwin ;;
    Windows | MINGW* | MSYS* | CYGWIN*) os=windows exe=.exe ;;
    *) stop 2 "there is no fleetgate for ${RUNNER_OS:-this system}" ;;
  esac
  case ${RUNNER_ARCH:-$(uname -m)} in
    X64 | x86_64 | amd64) arch=amd64 ;;
    ARM64 | aarch64 | arm64) arch=arm64 ;;
    *) stop 2 "there is no fleetgate for ${RUNNER_ARCH:-this architecture}" ;;
  esac
}

asset() { printf 'fleetgate-%s-%s-%s%s' "$1" "$os" "$arch" "$exe"; }

# pins lists what sums.txt has for this machine: a version and its SHA-256 a
# line. Git may have checked the file out with CRLF.
pins() {
  awk -v end="-$os-$arch$exe" '{ sub(/\r$/, "") } length($1) == 64 && $1 ~ /^[0-9a-f]+$/ && $2 ~ /^fleetgate-v[0-9]/ {
    version = substr($2, 11, length($2) - 10 - length(end))
    if ($2 == "fleetgate-" version end) print version, $1
  }' "$sums"
}

# pinned VERSION: its SHA-256.
pinned() { pins | awk -v version="$1" '$1 == version { print $2; exit }'; }

# wanted prints the version to run: the input's, if it is pinned, or else the
# newest that is. Where none is, as on a branch or in a fork, it is built. An
# input that is no version's name is not looked up at all; what is shown of it
# is one short line of ASCII.
wanted() {
  local version=${INPUT_VERSION:-} names shown LC_ALL=C
  names=$(pins | cut -d ' ' -f 1)
  case $version in
    source) printf source ;;
    '')
      version=$(printf '%s\n' "$names" | tail -n 1)
      printf '%s' "${version:-source}"
      ;;
    *)
      if ! [[ $version =~ ^v[0-9][0-9A-Za-z.+-]*$ ]] || [ -z "$(pinned "$version")" ]; then
        shown=${version:0:100}
        shown=${shown//[![:print:]]/ }
        stop 2 "the input version is '$shown', which this action does not pin; it pins: ${names:-none} (or write source)"
      fi
      printf '%s' "$version"
      ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1" | cut -c 1-64
  else
    shasum -a 256 <"$1" | cut -c 1-64
  fi
}

# genuine FILE VERSION: whether it is the release that is pinned.
genuine() {
  local want
  want=$(pinned "$2")
  [ -n "$want" ] && [ "$(sum_of "$1")" = "$want" ]
}

# place VERSION: its folder in the tool cache.
place() { printf '%s/fleetgate/%s/%s' "${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}" "${1#v}" "$arch"; }

# cached VERSION sets binary to the one in the tool cache. Its sum is looked at
# each time: other jobs may write there, too.
cached() {
  binary=$(place "$1")/fleetgate$exe
  [ -x "$binary" ] && genuine "$binary" "$1"
}

# downloaded VERSION puts the release into the tool cache and sets binary to it.
# It fails where there is no such release; an asset with another sum is refused.
downloaded() {
  local version=$1 name folder url
  name=$(asset "$version")
  folder=$(place "$version")
  { mkdir -p "$folder" && [ -w "$folder" ]; } 2>/dev/null || folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/fleetgate.XXXXXX")
  url=${GITHUB_SERVER_URL:-https://github.com}/${FLEETGATE_ACTION_REPOSITORY:-fleetgate/fleetgate}/releases/download/$version/$name
  partial=$(mktemp "$folder/download.XXXXXX") || return
  trap 'rm -f "$partial"' EXIT
  if ! fetched "$url" "$partial"; then
    rm -f "$partial" # exec, which ends a build, runs no trap
    say "there is no release at $url"
    return 1
  fi
  if ! genuine "$partial" "$version"; then
    stop 3 "$url has the SHA-256 $(sum_of "$partial"), but this action pins $(pinned "$version"): it is not run"
  fi
  binary=$folder/fleetgate$exe
  { chmod 755 "$partial" && mv -f "$partial" "$binary"; } || stop 3 "$binary can't be written"
  trap - EXIT
  say "$version, from $url"
}

# checked_token prints the token without white space around it, as the gate
# takes it, and refuses one that could say more to curl than a header's value.
checked_token() {
  local token=${INPUT_TOKEN:-} LC_ALL=C
  token=${token#"${token%%[![:space:]]*}"}
  token=${token%"${token##*[![:space:]]}"}
  case $token in
    '' | *[!!-~]* | *[\"\\]*) stop 2 "the input token is none: it holds white space or other characters that no token has" ;;
  esac
  printf '%s' "$token"
}

# fetched URL FILE. An Enterprise server wants the token, which curl reads from
# its standard input: no other process can see it there.
fetched() {
  local token
  local options=(--fail --silent --show-error --location --proto '=https,http' --proto-redir '=https' --retry 3 --connect-timeout 20 --max-time 300 --output "$2")
  if [ "${GITHUB_SERVER_URL:-https://github.com}" = https://github.com ] || [ -z "${INPUT_TOKEN:-}" ]; then
    curl "${options[@]}" -- "$1"
    return
  fi
  token=$(checked_token) || exit
  printf 'header = "Authorization: Bearer %s"\n' "$token" | curl --config - "${options[@]}" -- "$1"
}

# built sets binary to one that is built from the source beside this script.
built() {
  command -v go >/dev/null || stop 3 "no release is pinned for this machine, and there is no Go to build one: add actions/setup-go before this step, or use a released version of this action"
  say "building from source, with $(cd "$root" && go env GOVERSION)"
  binary=$(mktemp -d "${RUNNER_TEMP:-/tmp}/fleetgate.XXXXXX")/fleetgate$exe
  (cd "$root" && unset INPUT_TOKEN GITHUB_TOKEN && CGO_ENABLED=0 GOWORK=off GOFLAGS=-mod=readonly go build -trimpath -buildvcs=false -o "$binary" .) ||
    stop 3 "fleetgate could not be built from source"
}

main "$@"
