# shellcheck shell=bash
package=mc
system="automake, libtool"
needs="libglib2.0-dev libslang2-dev check pkg-config python3"
exes="src/mc"
config=config.h
# The release as upstream made it: no automake is asked for again.
patched=no
note="\`make check\`: unit tests of its libraries and of the program, with check.
The program itself is driven by keys on a pseudo-terminal: panels, dialogs,
viewer, editor, menus; the files that it leaves are compared between the columns."

build() {
	./configure --with-screen=slang --enable-tests --disable-nls --without-x \
		--enable-vfs-sftp=no
	make -j"$JOBS"
	make -j"$JOBS" check TESTS=
}

# keys NAME KEYS: what is in left/ and right/ afterwards, with contents and modes.
keys() {
	local name=$1 keys=$2 status
	(
		cd "$(mktemp -d "$TMPDIR/mc.XXXXXX")" || exit
		mkdir -p left/deep/deeper right home
		printf 'one\ntwo\nthree\n' >left/alpha
		printf 'needle in line %d\n' {1..60} >left/beta.txt
		head -c 3000 /dev/zero >left/gamma.bin
		echo inner >left/deep/inner.txt
		echo old >right/old
		MC_DATADIR=$top/misc MC_PROFILE_ROOT=$PWD/home TERM=vt100 SHELL=/bin/sh EDITOR= \
			timeout -k 5 120 python3 "$DATA/terminal.py" "$keys" \
			"$top/src/mc" -u -d -a "$PWD/left" "$PWD/right" >screen 2>&1
		status=$?
		output "keys: $name" bash -c "echo exit $status
			find left right | sort | while read -r f; do
				stat -c '%n %F %a' \"\$f\"
				[ ! -f \"\$f\" ] || cksum <\"\$f\"
				[ ! -L \"\$f\" ] || readlink \"\$f\" | sed 's|.*/||'
			done"
	)
}

suite() {
	make -k check
	top=$PWD
	# The list begins with .., then folders, then files.
	keys 'copy a file' '\cn \cn \e5 \n \e0 \n'
	keys 'copy a folder' '\cn \e5 \n \e0 \n'
	keys 'move' '\cn \cn \e6 \n \e0 \n'
	keys 'rename' '\cn \cn \e6 \cu renamed\n \e0 \n'
	keys 'make a folder' '\e7 made\n \e0 \n'
	keys 'delete' '\cn \cn \cn \e8 \n \e0 \n'
	keys 'select by pattern and copy' '+ \cu *.txt\n \e5 \n \e0 \n'
	keys 'view and search' '\cn \cn \cn \e3 / needle\n n \e0 \e0 \n'
	keys 'edit, save and leave' '\cn \cn \e4 inserted\n \e2 \n \e0 \e0 \n'
	keys 'edit, delete lines' '\cn \cn \cn \e4 \cy \cy \e2 \n \e0 \e0 \n'
	keys 'change modes' '\cn \cn \cxc \s \n \e0 \n'
	keys 'symbolic link' '\cn \cn \cxs \n \e0 \n'
	keys 'other panel, back, into a folder' '\t \cn \e8 \n \t \cn \n \cn \e5 \n \e0 \n'
	keys 'a command' 'touch\sby-hand\n \n \e0 \n'
	keys 'menu: compare directories' '\e9 c d \n \e0 \n'
	keys 'find a file' '\e? \t \cu needle\n \n \e0 \e0 \n'
	keys 'help' '\e1 \n \e0 \e0 \n'
}

results() { results_automake; }
