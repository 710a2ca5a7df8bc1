# shellcheck shell=bash disable=SC2034,SC2086,SC2016
build() {
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq >src/builtin.inc &&
		echo '#define JQ_VERSION "1.6"' >src/version.h &&
		printf '%s\n' src/{builtin,bytecode,compile,execute,jq_test,jv,jv_alloc,jv_aux,jv_dtoa,jv_file,jv_parse,jv_print,jv_unicode,lexer,linker,locfile,main,parser,util}.c |
		sed 's/\.c$//' | xargs -P"$JOBS" -I{} $CC -std=gnu99 -I. -D_GNU_SOURCE -DIEEE_8087=1 -DHAVE_MEMMEM -DHAVE_ISATTY -DHAVE_FLOOR -DHAVE_SQRT -DHAVE_POW -DHAVE_LOG -DHAVE_MKSTEMP -DHAVE_GMTIME_R -DHAVE_STRPTIME -DHAVE_STRFTIME -DHAVE_TIMEGM -DHAVE_ALLOCA_H -DHAVE_ALLOCA -DHAVE_PTHREAD_KEY_CREATE -DHAVE_PTHREAD_ONCE -DHAVE_ATEXIT -c {}.c -o {}.o &&
		$CC -o jq src/*.o -lm -lpthread
}
