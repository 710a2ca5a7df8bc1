# patch 2.7.6 -o writes a second file behind one that ends within a line: assertion outstate->after_newline (upstream 76e77584, Debian's 0009-Fix_failed_assertion_outstate-after_newline)
# shellcheck shell=bash disable=SC2034,SC2086,SC2016
package=patch version=2.7.6 patched=yes
exe=src/patch
signal=SIGABRT
cause=main
. "$here/crashes/patch.sh"
setup() {
	printf 'one\ntwo' >a
	printf 'one\ntwo\n' >b
	printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' '-one' '+ONE' ' two' '\ No newline at end of file' >stdin
	printf '%s\n' '--- b' '+++ b' '@@ -1,2 +1,2 @@' '-one' '+ONE' ' two' >>stdin
}
arguments=(-o out)
