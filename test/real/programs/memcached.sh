# shellcheck shell=bash
package=memcached
system=automake
needs="libevent-dev"
exes="memcached memcached-debug testapp sizes timedrun"
replays=none
replays_note="Recorded under a load, see below, not in its own suite: a server for each test, ended by signals."
loads="causal serial"
loads_note="4 worker threads, 8 clients, 20,000 requests; ended by a signal."
config=config.h
# It refuses to run as root.
as_nobody=yes
# Tests of expiry and eviction sleep and then look.
attempts=2
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

load() {
	local port=22191 server i status
	$RECORD ./memcached -l 127.0.0.1 -p $port -U 0 -t 4 &
	server=$!
	for ((i = 0; i < 600; i++)); do
		(exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break
		sleep 0.2
	done
	perl "$DATA/memcached/client.pl" 127.0.0.1:$port 8 2500 || return 1
	kill -TERM $server
	wait $server
	status=$?
	[ $status = 0 ] || [ $status = 143 ]
}
