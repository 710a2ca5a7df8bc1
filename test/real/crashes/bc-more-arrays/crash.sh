# bc 1.06 clears as many new arrays as there are variables, behind the end of the table (BugBench, mended in bc 1.07)
# shellcheck shell=bash disable=SC2034,SC2086,SC2016
package=bc version=1.07.1 patched=no
exe=bc/bc
signal=SIGSEGV
cause=yyparse # more_arrays() is over when what it overwrote is used
build() { ./configure && make -j"$JOBS" MAKEINFO=true; }
setup() {
	local i
	for ((i = 0; i < 3300; i++)); do printf 'v%d=%d\n' "$i" "$i"; done >stdin
	for ((i = 0; i < 33; i++)); do
		printf 'a%d[%d]=%d^20; v%d=v%d+a%d[%d]\n' "$i" $((i * 50)) "$i" "$i" "$i" "$i" $((i * 50))
	done >>stdin
	for ((i = 0; i < 3300; i++)); do printf 'v%d\n' "$i"; done >>stdin
}
arguments=()
