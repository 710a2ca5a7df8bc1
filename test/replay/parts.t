#!/bin/bash
# A process that becomes other programs by exec() is replayed as a whole, part by part.
. "$(dirname "$0")/../lib/tap.sh"

for level in 0 2; do
	ok "builds -O$level" "$RECUT_CC" -w -g "-O$level" -o "parts$level" "$root/test/replay/programs/parts.c"
done

# What a process printed when it was recorded, it prints in its replay.
replays() { # NAME STATUS PID OPTION…
	local name=$1 status=$2 pid=$3
	shift 3
	timeout -k 5 300 "$RECUT" replay "$@" >replayed 2>replayed.err </dev/null
	same "$name: exit" $? "$status"
	same "$name: all that it printed" "$(cat replayed)" "$(grep "^$pid: " recorded)"
	same "$name: nothing on stderr" "$(cat replayed.err)" ''
}

for what in "serial 2" "causal 2" "causal 0"; do
	set -- $what
	rm -rf trace
	timeout -k 5 300 "$RECUT" record -q "--threads=$1" -o trace "./parts$2" chain >recorded 2>&1
	same "the first process becomes two others, $what" "$?" 7
	pid=$(head -n 1 recorded | cut -d: -f1)
	replays "the first process, $what" 7 "$pid" trace
	replays "the first process by its pid, $what" 7 "$pid" -p "$pid" trace
	rm -rf trace
	timeout -k 5 300 "$RECUT" record -q "--threads=$1" -o trace "./parts$2" >recorded 2>&1
	first=$(sed -n 's/: family$//p' recorded)
	child=$(sed -n 's/: child$//p' recorded)
	grandchild=$(sed -n 's/: grandchild$//p' recorded)
	replays "a parent, $what" 5 "$first" trace
	replays "a child, $what" 7 "$child" -p "$child" trace
	replays "its child, $what" 7 "$grandchild" -p "$grandchild" trace
	same "all of their parts, $what" "$("$RECUT" ps trace | wc -l)" 7
done

# --- one part ----------------------------------------------------------------------------------

"$RECUT" replay -p "$child" --part 1 trace >.out 2>&1
like 'the first part alone' "$(cat .out)" "$child: child
$child: grandchild 7
recut replay: the recording ends here*another program took its place (exec)*"
same 'a part in the middle' "$("$RECUT" replay -p "$child" --part 3 trace 2>/dev/null)" "$child: middle"
exits 'the last part' 7 "$RECUT" replay -p "$child" --part 4 trace
same 'prints its own' "$(cat .out)" "$child: last"
exits 'a part that is not there' 1 "$RECUT" replay -p "$child" --part 5 trace
like 'is told' "$(cat .out)" "recut replay: *trace: the process has 4 parts, not 5"
exits 'part 0' 2 "$RECUT" replay --part 0 trace
same 'a directory after exec is the parts from there on' "$("$RECUT" replay "trace/pid.$child/exec/exec")" \
	"$child: middle
$child: last"

# --- events ------------------------------------------------------------------------------------

exits '-g' 0 "$RECUT" replay -p "$child" -g 2 trace
like '-g counts in the last part' "$(cat .out)" "$child: child*$child: chain*$child: middle*stopped at event 2*printf*say*"
exits '-g in a child, whose parent has such an event, too' 0 "$RECUT" replay -p "$child" --part 1 -g 1 trace
like 'stops in the child' "$(cat .out)" "recut replay: stopped at event 1*getpid*say*family*main*"
exits '-g of no event' 1 "$RECUT" replay -p "$child" -g 99 trace
like 'says so at the end' "$(cat .out)" "*$child: last*event 99 never came*"
if command -v gdb >/dev/null; then
	printf 'break say\nrun\nprint text\nrun\nprint text\n' | timeout 300 "$RECUT" replay --gdb -p "$child" trace >.out 2>&1
	same '--gdb: the last part, also again' "$(grep -o '"last"' .out | wc -l)" 4
	printf 'break say\nrun\nprint text\n' | timeout 300 "$RECUT" replay --gdb --part 2 -p "$child" trace >.out 2>&1
	like '--gdb --part' "$(cat .out)" '*$1 = *"chain"*'
else
	skip '--gdb' 'no gdb'
fi

# --- ends --------------------------------------------------------------------------------------

cp -r trace damaged
head -c 6000 /dev/urandom >"damaged/pid.$child/exec/log.0"
exits 'a part that is damaged' 65 "$RECUT" replay -p "$child" damaged
like 'comes after those before it' "$(cat .out)" "$child: child
$child: grandchild 7
recut replay: *exec: log.0: *"
rm -rf damaged && cp -r trace damaged
sed -i "s/^event .*/event 1/" "damaged/pid.$grandchild/process"
exits 'a child that is not made where it says' 65 "$RECUT" replay -p "$grandchild" damaged
like 'is not replayed' "$(cat .out)" "recut: cannot replay: no process is made where the trace says, at $grandchild@0:1"

rm -rf trace
"$RECUT" record -q -o trace ./parts2 chain-crash >recorded 2>&1
same 'a crash after exec' $? 134
pid=$(head -n 1 recorded | cut -d: -f1)
replays 'a crash after exec' 134 "$pid" trace
exits '--verify' 134 "$RECUT" replay --verify -q trace
finish
