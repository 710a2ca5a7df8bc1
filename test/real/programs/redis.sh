# shellcheck shell=bash
package=redis
# Debian's patches take liblzf and others from the system; upstream's tree
# builds all of it.
patched=no
system="make"
needs="tcl"
exes="src/redis-server src/redis-cli src/redis-benchmark"
replays=none
replays_note="Recorded under a load, see below, not in its own suite, which starts hundreds of servers."
loads="causal serial"
load_processes=2
loads_note="100,000 requests of \`redis-benchmark\`, then a save in the background, in a child."
attempts=2
note="Units of \`runtest\` that do not depend on memory figures or minutes of
waiting, on loopback; built with \`MALLOC=libc\`. Left out: tests tagged slow, and
\"cannot modify protected configuration\" (wants an address that is not
loopback)."

build() { make -j"$JOBS" MALLOC=libc CC="$CC"; }

units="unit/printver unit/auth unit/protocol unit/keyspace unit/scan unit/info
unit/type/string unit/type/incr unit/type/list unit/type/list-2 
unit/type/set unit/type/zset unit/type/hash unit/type/stream unit/type/stream-cgroups
unit/sort unit/expire unit/multi unit/quit unit/bitops unit/bitfield unit/geo
unit/pubsub unit/slowlog unit/scripting unit/functions unit/dump
unit/acl unit/introspection unit/introspection-2 unit/limits unit/other unit/tracking
unit/aofrw integration/aof integration/rdb integration/redis-cli
integration/convert-zipmap-hash-on-load integration/convert-ziplist-hash-on-load
integration/replication-2 integration/logging"

# Every server is told to listen on loopback, also those whose own configuration
# file says nothing.
suite() {
	local u args=()
	for u in $units; do
		args+=(--single "$u")
	done
	./runtest --clients 2 --tags -slow --baseport 22100 --portcount 2000 \
		--config bind 127.0.0.1 --skiptest '/cannot modify protected configuration' "${args[@]}"
}

results() {
	sed 's/\x1b\[[0-9;]*m//g' | sed -nE \
		-e 's/^\[ok\]: (.*) \([0-9]+ ms\)$/pass \1/p' \
		-e 's/^\[(err|exception|timeout)\]: (.*)$/fail \2/p' \
		-e 's/^\[skip\]: (.*)$/skip \1/p' |
		sed -E 's/ in tests\/.*//; s/0x[0-9a-f]+/ADDR/g'
}

load() {
	local port=22190 server i
	$RECORD src/redis-server --port $port --bind 127.0.0.1 --dir "$TMPDIR" --save "" &
	server=$!
	for ((i = 0; i < 600; i++)); do
		src/redis-cli -p $port ping 2>&1 | grep -q PONG && break
		sleep 0.2
	done
	src/redis-benchmark -p $port -n 20000 -c 20 -q -t set,get,lpush,lrange_100 || return 1
	src/redis-cli -p $port bgsave
	for ((i = 0; i < 100; i++)); do
		src/redis-cli -p $port info persistence | grep -q 'rdb_bgsave_in_progress:0' && break
		sleep 0.2
	done
	src/redis-cli -p $port info persistence | grep 'rdb_last_bgsave_status:ok' || return 1
	src/redis-cli -p $port shutdown nosave
	wait $server
}
