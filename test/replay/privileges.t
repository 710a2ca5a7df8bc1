#!/bin/bash
# Recording and replaying need nothing that a container would not give: no
# capability, no ptrace, no performance counters, no address space without
# randomisation.  And a replay touches nothing but the trace, the program and its
# libraries.
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache
programs=$root/test/replay/programs
"$RECUT_CC" -g -O1 -o reach "$programs/reach.c" && "$CLANG" -o deny "$programs/deny.c" || exit 1
echo content >input

# round NAME COMMAND…: records and replays under that command.
round() {
	local name=$1
	shift
	rm -rf trace
	"$@" "$RECUT" record -q --hash 1 -o trace ./reach input >out 2>err </dev/null
	same "$name: recorded" "$? $(cat err)" '4 '
	mv input input.away
	"$@" "$RECUT" replay --verify trace >again 2>again.err </dev/null
	same "$name: replayed" "$? $(cat again.err)" '4 '
	mv input.away input
	ok "$name: output" diff out again
	like "$name: main got to its end" "$(tail -n 1 out)" 'heap 0x4*'
}

round 'as we are'

powerless=(setpriv --no-new-privs)
[ "$(id -u)" != 0 ] || powerless+=(--bounding-set=-all --inh-caps=-all)
if command -v setpriv >/dev/null && "${powerless[@]}" true 2>/dev/null; then
	same 'no capabilities: there are none' \
		"$("${powerless[@]}" awk '/^CapEff|^NoNewPrivs/ { print $2 }' /proc/self/status | xargs)" \
		'0000000000000000 1'
	round 'no capabilities' "${powerless[@]}"
else
	skip 'no capabilities' 'setpriv is missing or not allowed'
fi

if ./deny true 2>/dev/null; then
	if command -v strace >/dev/null; then
		exits 'no ptrace: it fails' 1 ./deny strace -o /dev/null true
	else
		skip 'no ptrace: it fails' 'strace is not installed'
	fi
	round 'no ptrace' ./deny
	round 'no ptrace, no capabilities' ./deny "${powerless[@]}"
else
	skip 'no ptrace' 'no seccomp here'
fi

case $(cat /proc/sys/kernel/randomize_va_space) in
0) skip 'randomised addresses' 'they are off on this machine' ;;
*)
	# libc is elsewhere in every run, and so is what a replay would find in its memory.
	libc_address() { awk '/libc/ { print $1; exit }' /proc/self/maps; }
	exits 'addresses are randomised' 1 test "$(libc_address)" = "$(libc_address)"
	;;
esac
round 'without randomised addresses' setarch -R
rm -rf trace
"$RECUT" record -q --hash 1 -o trace ./reach input >out 2>/dev/null
setarch -R "$RECUT" replay --verify trace >again 2>&1
ok 'recorded with, replayed without' diff out again

# --- what a replay touches ----------------------------------------------------------------

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	watched=open,openat,creat,unlink,rename,mkdir,socket,connect,execve,clone,clone3,fork,vfork,write
	strace -f -o calls -e trace=$watched \
		"$RECUT" replay "$work/trace" >again 2>/dev/null
	pid=$(sed -n 's/^\([0-9]*\) *write(1, "main begins.*/\1/p' calls)
	ok 'the replay can be watched' test -n "$pid"
	# After main began, the program writes its output and does nothing else.
	sed -n "/^$pid *write(1, \"main begins/,\$p" calls | grep "^$pid " |
		grep -v -e ' write(1, ' -e ' +++ ' >touched
	same 'main opens, connects, starts and removes nothing' "$(cat touched)" ''
	# Before: the dynamic linker's files and those of the trace.
	sed -n "/^$pid *execve/,/^$pid *write(1, \"main begins/p" calls | grep -E "^$pid *(open|openat|creat)\(" |
		grep -v ENOENT | grep -oE '"[^"]*"' | tr -d '"' |
		grep -vE "^($work/trace/|/proc/self/|/etc/ld\.so\.|(/usr)?/lib(64)?/)" >opened
	same 'and before it, only the trace and libraries were opened' "$(cat opened)" ''
	exits 'nobody made a socket' 1 grep -q 'socket(' calls
	same 'recut started the program and nothing else' "$(grep -c 'execve(' calls)" 2
else
	skip 'what a replay touches' 'strace is missing or not allowed'
fi
finish
