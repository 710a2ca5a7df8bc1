# TAP for shell tests.  Sourced by a .t file that runs from anywhere:
#
#   . "$(dirname "$0")/../lib/tap.sh"
#   ok "what is true" command args…      # passes if the command does
#   same "what is equal" "$got" "$wanted"
#   skip "what is left out" "why"
#   todo "what should be" command args…  # a known defect: told, but no failure
#   finish
#
# Each test file has a directory of its own, $work, and starts in it.  It is
# removed at the end unless something failed; a failure says where it is and
# how to see it again.  RECUT_LONG=1 asks for the long form of a test.
# shellcheck shell=bash
shopt -s lastpipe # `… | fail` counts in this shell
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
self=$(realpath --relative-to="$root" "$0")
RECUT_CC=${RECUT_CC:-$root/build/bin/recut-cc}
RECUT=${RECUT:-$root/build/bin/recut}
CLANG=${CLANG:-clang-19}
export RECUT_CC RECUT CLANG
unset MAKEFLAGS MAKEOVERRIDES # what a make that runs us was told
work=$(mktemp -d "${TMPDIR:-/tmp}/recut-$(basename "$0" .t).XXXXXX")
cd "$work" || exit 1
tests=0 failures=0

is_long() { [ "${RECUT_LONG:-0}" != 0 ]; }

pass() { tests=$((tests + 1)); echo "ok $tests - $1"; }

# fail NAME [COMMAND THAT SHOWS IT AGAIN]; further lines for people on stdin.
fail() {
	tests=$((tests + 1)) failures=$((failures + 1))
	echo "not ok $tests - $1"
	[ -t 0 ] || head -n 30 | sed 's/^/#   /'
	echo "# again: ${2:-$self}   (kept: $work)"
}

skip() { tests=$((tests + 1)); echo "ok $tests - $1 # SKIP $2"; }

ok() {
	local name=$1 status
	shift
	"$@" >.out 2>&1 </dev/null
	status=$?
	if [ $status = 0 ]; then pass "$name"; else
		{ echo "exit $status: $*"; cat .out; } | fail "$name"
	fi
}

todo() {
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@" >.out 2>&1 </dev/null; then echo "ok $tests - $name # TODO it works: make it ok"; else
		echo "not ok $tests - $name # TODO a known defect"
	fi
}

# The exit code is the one given.
exits() {
	local name=$1 wanted=$2 status
	shift 2
	"$@" >.out 2>&1 </dev/null
	status=$?
	if [ $status = "$wanted" ]; then pass "$name"; else
		{ echo "exit $status, not $wanted: $*"; cat .out; } | fail "$name"
	fi
}

same() {
	if [ "$2" = "$3" ]; then pass "$1"; else
		diff <(echo "$3") <(echo "$2") | fail "$1"
	fi
}

# like NAME TEXT GLOB
like() {
	# shellcheck disable=SC2053
	if [[ $2 == $3 ]]; then pass "$1"; else
		printf 'not like %s:\n%s\n' "$3" "$2" | fail "$1"
	fi
}

finish() {
	echo "1..$tests"
	cd / || exit 1
	if [ $failures = 0 ]; then rm -rf "$work"; else exit 1; fi
}

skip_all() {
	echo "1..0 # SKIP $1"
	cd / && rm -rf "$work"
	exit 0
}
