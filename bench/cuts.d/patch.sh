# shellcheck shell=bash
# patch applies a patch of many hunks to a large file.
title="patch 2.7.6"
figure=8
exe=src/patch
loads="400000 20000"

# Debian's patches are newer than what autoconf made of the sources.
build() {
	cp -a "$(fetch patch 2.7.6)/." .
	touch aclocal.m4
	touch configure config.hin
	find . -name Makefile.in -exec touch {} +
	./configure
	make -j2
}

# work LINES COMMAND...
work() {
	seq 1 "$1" | sed 's/$/ a line of the file that is patched/' >old
	awk '{ if (NR % 20 == 0) $1 = "new " $1; print } NR % 50 == 0 { print "one more" }' old >new
	diff -u old new >old.patch
	"${@:2}" -s old old.patch
	local status=$?
	[ $status = 0 ] && cmp old new
}
