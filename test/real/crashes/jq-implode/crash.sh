# jq 1.6 implode takes numbers that are no code points: assertion codepoint >= 0 (issue 1160, Debian's CVE-2026-54679-1)
# shellcheck shell=bash disable=SC2034,SC2086,SC2016
package=jq version=1.6 patched=yes
exe=jq
signal=SIGABRT
cause=f_string_implode
. "$here/crashes/jq.sh"
setup() { echo [65,-1] >stdin; }
arguments=(implode)
