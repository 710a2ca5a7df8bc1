# Record and replay for shell tests.  Sourced after tap.sh:
#
#   replays NAME PROGRAM ARGS…
#
# builds programs/PROGRAM.c beside the test at -O0 and at -O2, runs it as plain
# clang makes it, records it with a hash of memory at every event, and replays
# it with all of its files gone, from another directory, without input.  Output,
# errors and exit of all three must be equal and the hashes too, and every event can be
# shown.
#
#   prepare()     a test may define it: makes the files that the program reads, in
#                 the directory where the program runs; `stdin` is its input
#   flags         for both compilers
#   options       for recut record
#   native=no     the run by itself is never twice the same (time, pids)
#   trace         of the last recording, for a closer look
# shellcheck shell=bash
native=yes flags='' options='' trace=''
prepare() { :; }

# run_in DIRECTORY RESULT COMMAND…: result.out, result.err, result.exit
run_in() {
	local directory=$1 result=$2 input=/dev/null
	shift 2
	[ -e "$directory/stdin" ] && input=$directory/stdin
	(cd "$directory" && timeout -k 5 300 "$@" <"$input" >"$result.out" 2>"$result.err")
	echo $? >"$result.exit"
}

equal_runs() {
	local kind
	for kind in exit out err; do
		diff -a "$1.$kind" "$2.$kind" >.diff || {
			echo "$kind of $(basename "$1") and $(basename "$2"):"
			head -n 12 .diff
			[ $kind = exit ] && tail -n 5 "$2.err"
			return 1
		}
	done
}

replay_level() {
	local name="$1 -O$3" program=$2 level=$3 here=$work/$2-O$3 source
	source=$(dirname "$root/$self")/programs/$program.c
	shift 3
	rm -rf "$here" && mkdir -p "$here/native" "$here/recorded" "$here/replayed"
	# shellcheck disable=SC2086
	if ! { "$CLANG" -w "-O$level" $flags -o "$here/native/$program" "$source" -lm &&
		"$RECUT_CC" -w "-O$level" $flags -o "$here/recorded/$program" "$source" -lm; } \
		>.out 2>&1; then
		fail "$name: builds" <.out
		return
	fi
	trace=$here/trace
	(cd "$here/recorded" && prepare)
	# shellcheck disable=SC2086
	run_in "$here/recorded" "$here/record" "$RECUT" record $options -o "$trace" --hash 1 "./$program" "$@"
	find "$here/recorded" -mindepth 1 ! -name "$program" -delete
	run_in "$here/replayed" "$here/replay" "$RECUT" replay --verify "$trace"
	if [ "$native" = yes ]; then
		(cd "$here/native" && prepare)
		run_in "$here/native" "$here/native" "./$program" "$@"
		equal_runs "$here/native" "$here/record" >.out || { fail "$name: recorded" <.out; return; }
	fi
	equal_runs "$here/record" "$here/replay" >.out || { fail "$name: replayed" <.out; return; }
	"$RECUT" dump --json "$trace" >/dev/null 2>.out || { fail "$name: its events" <.out; return; }
	pass "$name"
}

replays() {
	local name=$1 program=$2 level
	shift 2
	for level in 0 2; do replay_level "$name" "$program" "$level" "$@"; done
}
