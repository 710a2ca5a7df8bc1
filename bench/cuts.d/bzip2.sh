# shellcheck shell=bash
# bzip2 compresses text.
title="bzip2 1.0.8"
figure=8
exe=bzip2
loads="20 2"

build() {
	cp -a "$(fetch --upstream bzip2 1.0.8)/." .
	make -j2 CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" bzip2
	python3 "$here/load/text.py" 20000000 >text
}

# work MEGABYTES COMMAND...
work() {
	head -c "${1}000000" "$built/text" >text
	"${@:2}" -k text
	local status=$?
	[ $status = 0 ] && bzip2 -dc text.bz2 | cmp - text
}
