# shellcheck shell=bash
package=memcached
system=automake
needs="libevent-dev"
exes="memcached memcached-debug testapp sizes timedrun"
replays=none
replays_note="By hand only, see [threads.md](threads.md): a server for each test, ended by signals."
config=config.h
# It refuses to run as root.
as_nobody=yes
# Tests of expiry and eviction sleep and then look.
attempts=2
suite_limit=600
note="\`testapp\` and the files of \`t/\`, one result a file. Left out:
\`whitespace.t\` (checks upstream's repository) and \`issue_67.t\` (listens on every
address). Some skip themselves, those for TLS and
the proxy among them."

build() {
	./configure
	make -j"$JOBS" all testapp timedrun
}

suite() {
	local t tests=()
	for t in t/*.t; do
		case $t in
		t/whitespace.t) ;;
		# Without -l, memcached given a port listens on every address.
		t/issue_67.t) ;;
		*) tests+=("$t") ;;
		esac
	done
	mkdir "$TMPDIR/logs"
	# They sleep most of the time, each with a server and a socket of its own.
	printf '%s\n' "${tests[@]}" |
		xargs -P 4 -I{} sh -c 'timeout -k 5 120 prove -v {} >"$TMPDIR/logs/$(basename {})" 2>&1'
	./sizes
	echo "testapp .."
	./testapp
	cat "$TMPDIR"/logs/*
}

results() { results_prove; }
