# shellcheck shell=bash
# Berkeley DB with its replication manager, by its example program ex_rep_mgr: the master puts
# pairs into a database, in random order, and a client on the same machine gets them.  The client
# is the one that is recorded.
title="Berkeley DB 5.3"
figure=6
needs="autoconf libtool"
exe=build_unix/ex_rep_mgr
targets="repmgr whole"
loads="5000x2048 50x2048"
profiled=repmgr
profiles="none 50x2048 5000x200 5000x2048"
paper=([repmgr]="a third of the whole, 37 %" [whole]="53 %" [profiled:none]="1765.27 MB"
	[profiled:50x2048]="530.07 MB" [profiled:5000x200]="643.96 MB" [profiled:5000x2048]="531.42 MB")

cut_options() {
	case $1 in
	repmgr) echo "--target repmgr/" ;;
	*) echo "--target $1" ;;
	esac
}

# Its configure is from before prototypes: clang takes its probes, implicit int and all, only as
# the C of that time.
build() {
	cp -a "$(fetch db5.3)/." .
	# Lines that the example reads are 1 KB at most; ours are longer.
	sed -i 's/^#define[[:space:]]*BUFSIZE.*/#define BUFSIZE 4096/' examples/c/ex_rep/common/rep_common.c
	cd build_unix
	# And it is to say when it has all that the master has.
	sed -i 's/shared->in_client_sync = 0;/&\n\t\tdbenv->errx(dbenv, "in step");/' ../examples/c/ex_rep/mgr/rep_mgr.c
	../dist/configure CFLAGS="$CFLAGS -std=gnu89" --with-mutex=POSIX/pthreads/library --disable-shared
	make -j2 libdb.a
	make ex_rep_mgr db_dump
}

# work PAIRSxBYTES COMMAND...
work() {
	local pairs=${1%x*} bytes=${1#*x} master client i start end status
	mkdir master client
	mkfifo to-master to-client
	awk -v n="$pairs" -v bytes="$bytes" 'BEGIN {
		for (i = 0; i < bytes; i++) value = value sprintf("%c", 97 + i * 7 % 26)
		for (i = 1; i <= n; i++) print "key" (i * 7919 % 1000003), i substr(value, length(i) + 1) }' >pairs
	"$built/$exe" -h master -M -L 127.0.0.1:28149 <to-master >master.log 2>&1 &
	master=$!
	exec 4>to-master
	said QUOTESERVER master.log || return 1
	"${@:2}" -h client -C -l 127.0.0.1:28150 -r 127.0.0.1:28149 <to-client >client.log 2>&1 4>&- &
	client=$!
	exec 3>to-client
	# It copies the master's files, and says that it has (event 10), and that it is in step.
	said 'event 10' client.log && said 'in step' client.log || return 1
	start=$(date +%s.%N)
	# A master that is ahead drops what it cannot send, and the client would have to ask for it.
	split -l 20 -a 3 pairs part.
	for i in part.*; do
		cat "$i" >&4
		drained 65536
	done
	for ((i = 0; i < 20; i++)); do
		drained 0
		sleep 0.02
	done
	end=$(date +%s.%N)
	echo quit >&4
	exec 4>&-
	wait $master
	status=$?
	echo "rate $(awk -v n="$pairs" -v a="$start" -v b="$end" 'BEGIN { printf "%.0f", n / (b - a) }') pairs/s"
	echo quit >&3
	exec 3>&-
	wait $client || status=1
	grep -hv QUOTESERVER master.log client.log
	for i in master client; do
		"$built/build_unix/db_dump" -p -h $i quote.db | sed '1,/HEADER=END/d' >$i.pairs
	done
	[ $status = 0 ] && [ "$(grep -c '^ key' client.pairs)" = "$pairs" ] && cmp master.pairs client.pairs
}

# drained BYTES: waits until no more than that is under way between the two (port 28149), or it stays
# as it is: of two connections that they made at the same time, one is left alone.
drained() {
	local queues bytes before='' same=0
	while [ "$same" -lt 100 ]; do
		bytes=0
		while read -r _ _ _ _ queues _; do
			bytes=$((bytes + 16#${queues%:*} + 16#${queues#*:}))
		done < <(grep -E ':6DF5 ([^ ]* )?01 ' /proc/net/tcp)
		[ "$bytes" -gt "$1" ] || break
		if [ "$bytes" = "$before" ]; then same=$((same + 1)); else same=0 before=$bytes; fi
		sleep 0.01
	done
}

# said TEXT FILE: waits for it.
said() {
	local i
	for ((i = 0; i < 6000; i++)); do
		! grep -q "$1" "$2" || return 0
		sleep 0.1
	done
	return 1
}
