# shellcheck shell=bash
# gzip compresses text.
title="gzip 1.12"
paper_title=gzip
figure=8
exe=gzip
loads="20 2"

build() {
	cp -a "$(fetch --upstream gzip)/." .
	./configure
	make -j2
	python3 "$here/load/text.py" 20000000 >text
}

# work MEGABYTES COMMAND...
work() {
	head -c "${1}000000" "$built/text" >text
	"${@:2}" -k text
	local status=$?
	[ $status = 0 ] && gzip -dc text.gz | cmp - text
}
