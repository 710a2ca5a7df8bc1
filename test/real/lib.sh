# What the files in programs/ may use.  Sourced by step, in bash, in the
# program's own source tree; $CC, $JOBS and $DATA (test/real/data) are set.
# shellcheck shell=bash
#
# A program's file sets
#   package, version   Debian's name, and the upstream version (empty: newest)
#   patched            no: without Debian's patches, with the reason in a comment
#   system             build system, in a few words, for the table
#   needs              Debian packages it takes to build and test
#   exes               executables that matter, for `recut info`
#   replays            those of them that are recorded (default: all of them; none)
#   replays_note       for the table of replays: what is left out or does not replay, and why
#   replays_known      a pattern (grep -E) of the runs that do not, with a reason in the note
#   loads, loads_note  modes (causal, serial) in which it is recorded under a load, and what that is
#   load_processes     that are recorded of it, at least; load_limit seconds
#   config             files configure writes that both compilers must agree on
#   note               for the table: what the suite is, what is left out and why
#   build_limit, suite_limit   seconds
#   as_nobody          yes: root's suite runs as nobody, with the reason
#   attempts           for suites that depend on timing: tries to pass in full
# and defines
#   build              makes it, with $CC, by its own build system
#   load               puts it under its load, started by $RECORD
#   suite              runs its tests; what it prints goes to the log
#   results            log on stdin; prints "STATUS NAME" lines, any order, with
#                      STATUS one of pass, fail, skip, xfail, xpass

# For suites that upstream wrote as a list of commands, or not at all.
# check NAME COMMAND…: passes if the command does.
check() {
	local name=$1 status
	shift
	timeout -k 5 900 "$@" </dev/null
	status=$?
	if [ $status = 0 ]; then echo "PASS: $name"; else
		echo "  exit $status: $*"
		echo "FAIL: $name"
	fi
}

# output NAME COMMAND…: for output that has no reference.  Its checksum and the
# exit become part of the test's name, so that the lists of two compilers are
# equal only if the outputs are.
output() {
	local name=$1 file
	shift
	file=$(mktemp "${TMPDIR:-/tmp}/output.XXXXXX")
	timeout -k 5 900 "$@" </dev/null >"$file" 2>&1
	echo "PASS: $name (exit $?, $(cksum <"$file"))"
	head -c 2000 "$file" | LC_ALL=C tr -c '[:print:]\n' . | sed 's/^/  | /'
	echo
	rm -f "$file"
}

# shell NAME 'COMMANDS': like check, for a line of shell.
shell() { check "$1" bash -c "set -e -o pipefail; $2"; }

# Automake's test drivers, and check and output above.
results_automake() {
	sed -nE 's/^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): *(.*)$/\1 \2/p' |
		sed -E 's/^PASS/pass/; s/^(FAIL|ERROR)/fail/; s/^XFAIL/xfail/
			s/^XPASS/xpass/; s/^SKIP/skip/'
}

# TAP as prove -v prints it, a heading with the file's name before each group.
# One result for each file, and one for each assertion that failed: loops that
# wait for something make the number of assertions a matter of timing.
results_prove() {
	awk '
	function close_file() {
		if (file == "") return
		if (bad) { printf "%s", bad; print "fail", file }
		else print (good ? "pass" : "skip"), file
		file = bad = ""; good = 0
	}
	/^[^ #][^ ]* \.\.+ *(skipped: .*)?$/ {
		close_file()
		file = $1
		next
	}
	/^ok [0-9]+/ { good++ }
	/^not ok [0-9]+/ {
		if ($0 ~ /# *(TODO|todo)/) { good++; next }
		bad = bad "fail " file ": " $3 "\n"
	}
	# A file that died half-way has good lines only.
	/Dubious, test returned|Failed [0-9]+\/[0-9]+ subtests|No subtests run/ {
		if (!bad) bad = "fail " file ": died\n"
	}
	END { close_file() }'
}

# Ports for servers of ours: free now, so very likely free in a moment.
free_port() {
	perl -MIO::Socket::INET -e '
		print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport'
}
