# shellcheck shell=bash
# SQLite, as one file, fills tables, joins and sorts.
title="SQLite 3.40.1"
figure=8
exe=sqlite3
loads="1 tenth"

build() {
	cp -a "$(fetch sqlite3 3.40.1)/." .
	CC=clang-19 ./configure --disable-shared --disable-tcl --disable-readline
	make sqlite3.c shell.c
	$CC $CFLAGS -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -o sqlite3 sqlite3.c shell.c -lm
}

# work SHARE COMMAND...
work() {
	local rows=100000
	[ "$1" = 1 ] || rows=10000
	cat >work.sql <<-SQL
		create table t(a integer primary key, b integer, c text);
		with recursive n(i) as (select 1 union all select i + 1 from n where i < $rows)
		insert into t select i, i * 7919 % 10007, 'row ' || (i * 31 % 1009) from n;
		create index tb on t(b);
		select count(*), sum(x.b), max(y.c) from t x join t y on x.b = y.a where x.a % 3 = 0;
		select c, count(*) from t group by c order by 2 desc, 1 limit 20;
		update t set c = c || b where b % 5 = 0;
		select sum(length(c)) from t;
	SQL
	"${@:2}" file.db <work.sql >said
	local status=$?
	[ $status = 0 ] && [ "$(wc -l <said)" = 22 ]
}
