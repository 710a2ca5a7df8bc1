# shellcheck shell=bash
# Lua sorts, concatenates and computes; and, as the paper has it of crafty, one file of it that is
# tightly coupled with the rest, cut by all strategies.
title="Lua 5.4.4"
figure=8
exe=src/lua
targets="whole lmathlib:mincut lmathlib:tight lmathlib:eager"
loads="20000 2000"
paper=([lmathlib:mincut]="crafty, SearchRoot: 159 KB" [lmathlib:tight]="naive cut of that: 17 GB")

cut_options() {
	case $1 in
	lmathlib:*) echo "--target lmathlib.c --strategy ${1#*:}" ;;
	*) echo "--target $1" ;;
	esac
}

build() {
	cp -a "$(fetch --upstream lua5.4 5.4.4)/." .
	make -j2 linux CC="$CC -std=gnu99" MYCFLAGS="$CFLAGS"
}

# work NUMBERS COMMAND...
work() {
	cat >work.lua <<-LUA
		math.randomseed(7)
		local t = {}
		for i = 1, $1 do t[i] = math.random(1, 1 << 30) end
		for round = 1, 4 do
		    table.sort(t, function(a, b) return a % (round + 1) ~= b % (round + 1) and a % (round + 1) < b % (round + 1) or a % (round + 1) == b % (round + 1) and a < b end)
		    local s = 0
		    for i, v in ipairs(t) do s = s + math.floor(math.sqrt(v)) * i end
		    print(round, t[1], t[#t], s)
		end
	LUA
	"${@:2}" work.lua >said
	local status=$?
	[ $status = 0 ] && [ "$(wc -l <said)" = 4 ]
}
