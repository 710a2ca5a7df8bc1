# shellcheck shell=bash
# bc computes a few numbers to many digits.
title="bc 1.07.1"
figure=8
exe=bc/bc
loads="1500 200"

build() {
	cp -a "$(fetch --upstream bc 1.07.1)/." .
	./configure
	make -j2 MAKEINFO=true
}

# work DIGITS COMMAND...
work() {
	(echo "n = $1" && cat "$here/load/bc.bc") >work.bc
	"${@:2}" -l work.bc >said
	local status=$?
	[ $status = 0 ] && [ "$(wc -l <said)" -gt 5 ]
}
