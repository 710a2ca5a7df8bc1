# shellcheck shell=bash
package=db5.3
system="autoconf, libtool"
exes="build_unix/cutest build_unix/db_load build_unix/db_dump build_unix/db_stat
build_unix/db_recover build_unix/ex_tpcb"
config=build_unix/db_config.h
note="The C suite (\`cutest\`, nine groups), \`test_db185\`, example programs,
and round trips through the utilities, all with the static library. The Tcl
suite is left out: it loads the library into \`tclsh\`, which is no program built
here."
# TestChannel polls a variable that another thread writes without a lock, and
# TestKeyExistErrorReturn looks at the size of the cache so.
record_options=--threads=serial
replays_note="Recorded with \`--threads=serial\`: two of the tests have data races."

examples="ex_access ex_btrec ex_bulk ex_lock ex_mpool ex_sequence ex_thread ex_tpcb"

# Its configure is from before prototypes: clang takes its probes, implicit int
# and all, only as the C of that time.  The mutexes are those Debian chooses.
build() {
	cd build_unix || return
	../dist/configure CFLAGS="-g -O2 -std=gnu89" --with-mutex=POSIX/pthreads/library \
		--disable-shared --enable-compat185
	make -j"$JOBS"
	# shellcheck disable=SC2086
	make -j"$JOBS" cutest $examples
	$CC -g -O2 -std=gnu89 -w -I. -I../src -o test_db185 ../test/c/test_db185.c libdb.a -lpthread
}

# round_trip TYPE [db_load option…]: what was loaded is dumped again, and the
# dump of a reload of that is the same.
round_trip() {
	local type=$1
	shift
	rm -f one.db two.db
	shell "load $type $*" "../db_load $* -T -t $type -f ../words one.db && ../db_verify one.db"
	output "dump $type $*" ../db_dump -p one.db
	# A hash need not come back in the same order.
	shell "reload $type $*" "../db_dump one.db >dump && ../db_load -f dump two.db &&
		cmp <(../db_dump two.db | sed 1,/HEADER=END/d | sort) <(sed 1,/HEADER=END/d dump | sort)"
	# Numbers of pages and keys; the first line is the time.
	output "stat $type $*" bash -c '../db_stat -d one.db | sed 1d'
}

suite() {
	local name status
	cd build_unix || return
	# It cannot run one test alone; the number of tests is in its last line.
	sed -nE 's/.*CuSuiteNew\("(\w+)".*/\1/p' ../test/c/cutest/CuTests.c | while read -r name; do
		timeout 120 ./cutest -s "$name" </dev/null >cutest.out 2>&1
		status=$?
		tail -n 20 cutest.out
		echo "$([ $status = 0 ] && echo PASS || echo FAIL): $name $(grep -E '^OK|^Runs' cutest.out)"
	done
	shell test_db185 'cd ../test/c && ../../build_unix/test_db185'

	# Pairs of lines for the keyed types, single lines for the numbered ones.
	seq 1 4000 | awk '{ printf "key%05d\nvalue of %d\n", ($1 * 7919) % 10007, $1 }' >words
	rm -rf work && mkdir work && cd work || return
	round_trip btree
	round_trip btree -c duplicates=1
	round_trip btree -c db_pagesize=512
	round_trip hash
	round_trip hash -c h_ffactor=5
	round_trip recno
	round_trip queue -c re_len=20
	round_trip btree -c bt_minkey=4
	shell "encrypted" '../db_load -P secret -T -t btree -f ../words crypt.db &&
		../db_dump -P secret crypt.db >/dev/null && ! ../db_dump -P wrong crypt.db >/dev/null'
	shell "damage is noticed" 'cp one.db bad.db; printf XXXXXXXX |
		dd of=bad.db bs=1 seek=4100 conv=notrunc 2>/dev/null; ! ../db_verify bad.db'
	shell "salvage" '../db_dump -r bad.db >/dev/null || ../db_dump -R bad.db >/dev/null'

	shell "ex_access" 'rm -f access.db; printf "hello\nworld\nabc\n" | ../ex_access -r | grep -q "hello : olleh"'
	shell "ex_btrec" 'cd .. && printf "1\n10\n" | ./ex_btrec >/dev/null'
	check "ex_sequence" bash -c 'rm -f sequence.db; ../ex_sequence <<<"x" >/dev/null'
	check "ex_mpool" ../ex_mpool
	shell "ex_bulk" 'rm -f ex_bulk.db; ../ex_bulk -n 5000 -p 4096 >/dev/null'
	shell "ex_lock" 'rm -rf L; mkdir L; printf "get\nobj\nread\nquit\n" | ../ex_lock -h L -m 100 >/dev/null'
	shell "transactions" 'rm -rf T; mkdir T; ../ex_tpcb -h T -i && ../ex_tpcb -h T -n 500'
	shell "hot backup" 'rm -rf B; mkdir B; ../db_hotbackup -h T -b B && ../db_verify -h B account'
	shell "recovery" '../db_recover -c -h T && ../db_verify -h T account'
	shell "log" '../db_printlog -h T | grep -c txn_regop | grep -qx "[0-9]*"'
	shell "log verify" '../db_log_verify -h T'
	shell "archive" '../db_archive -h T -l | grep -q ^log.'
	# It runs until it is stopped; its word list is named from the build folder.
	shell "threads" 'rm -rf TH; mkdir TH; cd ..; timeout 5 ./ex_thread -h work/TH -n 200 -r 3 -w 3 >/dev/null ||
		test $? = 124; ./db_recover -h work/TH && ./db_verify -h work/TH access.db'
}

results() { results_automake; }
