# shellcheck shell=bash
package=sqlite3
version=3.40.1
system="autoconf, libtool, Tcl generators"
needs="tcl8.6-dev libreadline-dev zlib1g-dev"
exes="sqlite3 testfixture sqldiff dbhash"
replays="sqlite3 sqldiff dbhash"
replays_note="The tools that the tests of the shell run. \`testfixture\` is not recorded: Tcl, which has
no models, with all tests in a few runs of minutes. One run is interactive: readline prints its
prompt by itself, which a replay does not show."
replays_known="sqlite3 -interactive "
config=sqlite_cfg.h
# "Tests do not work when run as root"
as_nobody=yes
note="The shell's tests and a selection of \`test/*.test\` over every part of the
library, file by file, chosen to take a minute or so. One result a test."

build() {
	./configure --disable-shared --with-tcl=/usr/lib/tcl8.6
	make -j"$JOBS" sqlite3 testfixture sqldiff dbhash
}

# Among them: nothing that injects faults into malloc (how many there are to fail
# depends on malloc_usable_size, so on the heap), nothing that measures time or
# memory, and not thread002, whose threads write over each other's lines.
files="shell1 shell2 shell3 shell4 shell5 shell6 shell7 shell8
select1 select2 select3 select4 select5 select6 select7 select8 select9 selectA selectB
selectC selectD selectE selectF join join2 join3 join4 join5 join6 subquery subquery2
insert insert2 insert3 insert4 insert5 update update2 delete delete2 delete3 upsert1 upsert2
returning1 expr expr2 func func2 func3 date like like2 in in2 in3 in4 between case
aggnested minmax minmax2 minmax3 distinct distinctagg orderby1 orderby2 orderby3 limit limit2
collate1 collate2 collate3 collate4 collate5 types types2 types3 cast numcast null quote
index index2 index3 index4 index5 index6 index7 indexexpr1 indexexpr2 where where2 where3
where4 where5 where6 where7 analyze analyze3 autoindex1 rowvalue rowvalue2 rowid rowhash
table tableopts withoutrowid1 withoutrowid2 check conflict conflict2 unique notnull2
view trigger1 trigger2 trigger3 trigger4 trigger5 triggerA fkey1 fkey2 fkey3 alter alter2
altertab alterdropcol gencol1 autoinc trans trans2 trans3 savepoint savepoint2 lock lock2
attach attach2 attach3 vacuum vacuum2 incrvacuum autovacuum pager1 journal1 wal
wal2 wal3 walmode backup backup2 blob incrblob bigrow bigfile misc1 misc2 misc3 misc4
misc5 pragma pragma2 pragma3 with1 with2 window1 window2 window3 window4 json101 json102
json103 fts3aa fts3ab fts3ac fts3ad fts3expr fts3snippet fts4aa fts4check fts4content
bind bindxfer capi2 capi3 capi3c hook hook2 busy progress interrupt printf printf2
enc enc2 enc3 utf16align tokenize tkt1443 tkt2332 corrupt corrupt2 corrupt3 thread001
mutex1 tempdb tempdb2 temptable temptrigger descidx1 descidx2 schema schema2"

suite() {
	local f
	mkdir -p work && cd work || return
	ln -sf ../sqlite3 ../sqldiff ../dbhash . # where the tests of the shell look for it
	for f in $files; do
		[ -e "../test/$f.test" ] || continue
		timeout -k 5 900 ../testfixture "../test/$f.test" </dev/null 2>&1 || echo "! $f.test exit"
		rm -rf testdir
	done
}

# "select1-1.1... Ok"; "! select1-1.2 expected: [1]".  A test's own output may
# stand between the dots and the Ok.
# The numbers of pager1-16.1 are lengths of file names, with the folder that all of this is in.
results() {
	LC_ALL=C awk '
	/^[^ ]+\.\.\.( |$)/ { name = $1; sub(/\.\.\..*/, "", name); sub(/^pager1-16\.1\..*/, "pager1-16.1", name) }
	/ Ok$/ && name != "" { print "pass", name; name = "" }
	/^! [^ ]+ (expected|exit)/ { print "fail", $2; name = "" }
	/^[^ ]+\.\.\. Omitted/ { print "skip", name; name = "" }'
}
