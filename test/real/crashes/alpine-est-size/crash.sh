# pine 4.44 does not count what it takes to quote a name (EFF, table 2); since then, the writer knows the end of its buffer, too
# shellcheck shell=bash disable=SC2034
package=alpine version= patched=yes
exe=alpine/alpine
signal=SIGSEGV
cause=addr_list_string
build() {
	touch aclocal.m4 && touch configure include/config.h.in && find . -name Makefile.in -exec touch {} + &&
		./configure --without-ssl --without-krb5 --without-ldap --without-tcl --without-smime --disable-nls \
			--with-c-client-target=slx && make -j"$JOBS"
}
# A name is cut off at 20,000 characters when it is written, but not when it is counted, and the heap has room behind a
# block: it takes many names.
setup() {
	printf '%s\n' 'last-version-used=9.99' 'user-domain=example.org' "inbox-path=$PWD/mbox" >pinerc
	arguments=(-p "$PWD/pinerc" -i -f "$PWD/mbox")
	python3 -c '
names = ", ".join(["\"" + "\\" * 600 + "\" <a@example.org>"] * 200)
open("mbox", "w").write("From a@example.org Mon Jan  1 00:00:00 2024\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n"
	"From: " + names + "\nTo: c@example.org\nSubject: text\n\ntext\n")'
}
version_option=-v
record_options=--threads=serial # its threads ask a flag that others set without a lock
keys='q y'
