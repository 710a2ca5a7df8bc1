#!/bin/bash
# What does a user read who made a mistake in a model file?
. "$(dirname "$0")/../lib/tap.sh"
tool=${RECUT_BUILD:-$root/build}/obj/recut-models
[ -x "$tool" ] || skip_all "$tool is not built"
types=$root/src/models/types.model

# says TEXT MESSAGE: the message of the text, which is in a file called m.
says() {
	printf '%s' "$1" >m
	same "$2" "$("$tool" names "$types" m 2>&1 >/dev/null; echo "exit $?")" "m:$2
exit 65"
}

printf '%s' 'ssize_t read(int fd, void *buf: out[ret], size_t n) errno;' >m
exits 'a right file' 0 "$tool" names "$types" m

# The example that users read
sed -n '/^```model$/,/^```$/p' "$root/docs/models.md" | grep -v '^```' >sensor.model
exits 'the example of docs/models.md' 0 "$tool" binary "$types" sensor.model
ok 'it has functions' [ "$("$tool" names sensor.model 2>/dev/null | wc -l)" = 8 ]
sed -i 's/max max]/max maximum]/' sensor.model
same 'its mistake' "$("$tool" names "$types" sensor.model 2>&1)" \
	"$(grep '^sensor.model:' "$root/docs/models.md")"

# Words
says 'int f(int a) @' "1:14: unexpected character '@'"
says $'int f(int a)\n\x01' '2:1: unexpected character 0x01'
says 'group "no end' '1:7: the string has no end'
says 'type struct s 4294967296;' '1:15: the number is too large'
says 'type struct s 12x;' '1:15: this is no number'
says 'group x;' "1:7: a heading in quotes is missing before 'x'"
says 'int f(int a)' "1:13: ',', ';' or what the function does is missing at the end"
says $'# only a comment\nint' '2:4: the name of a function is missing at the end'

# Types
says 'foo_t f(void);' "1:1: unknown type 'foo_t' (declare it with typedef or type)"
says 'int f(size_t n, bar_t *b: in);' "1:17: unknown type 'bar_t' (declare it with typedef or type)"
says 'typedef int;' "1:12: a name is missing before ';'"
says 'typedef int t: hondle;' "1:16: 'handle' is missing before 'hondle'"
says 'type struct s 0;' '1:15: a type of no bytes'
says 'type struct s 8 { name 4 string; };' '1:24: the field lies outside of the 8 bytes of struct s'
says 'type struct s 8 { name 0 struct t; };' \
	'1:26: struct t is no type that was declared with type'
says 'type struct s 16 { a 0 struct s; b 8 struct s; };' \
	'1:38: struct s already has a field that points to the next one'
says 'type struct s 8 { p 0 bytes; };' "1:28: '[' is missing before ';'"

# Parameters
says 'int f(char *s);' "1:13: 's' is a pointer: say what the function does with it"
says 'int f(int s: string);' "1:14: 's' is no pointer"
says 'int f(char *s: strong);' "1:16: unknown role 'strong'"
says 'int f(void *s: out);' '1:16: say how many bytes, in []'
says 'int f(void *s: out[n]);' "1:20: no parameter is called 'n'"
says 'int f(void *s: out[n], char *n: string);' "1:20: 'n' is no number"
says 'int f(void *s: out[*n], char *n: in);' "1:21: 'n' does not point to a number of 4 or 8 bytes"
says 'int f(const void *s: in[ret]);' '1:25: what is read cannot depend on the result'
says 'void f(void *s: out[ret]);' "1:26: a length is 'ret', but the function returns no number"
says 'int f(struct foo *s: out);' \
	"1:22: the size of what 's' points to is not known (declare it with type)"
says 'int f(struct foo *s: out object);' \
	"1:22: 's' does not point to a type that was declared with type"
says 'int f(struct timeval *s: string);' "1:26: 's' does not point to characters"
says 'int f(struct timeval t);' "1:22: say how 't' is passed: int, unsigned or long"
says 'int f(int a, int a);' "1:18: two parameters are called 'a'"
says 'int f();' "1:7: void is missing before ')'"
says 'int f(int a int b);' "1:13: ',' or ')' is missing before 'int'"
says 'int f(int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int,int);' \
	'1:74: more than 16 parameters'

# Clauses
says 'char *f(void);' "1:14: the function returns a pointer: say what it is with 'returns'"
says 'int f(void) returns static;' '1:21: the function returns no pointer'
says 'char *f(void) returns static;' \
	'1:23: it does not return a pointer to a type declared with type'
says 'char *f(void) returns in s;' "1:26: no parameter is called 's'"
says 'int f(void) errno blocks;' "1:19: ',' is missing before 'blocks'"
says 'int f(void) erno;' "1:13: ',', ';' or what the function does is missing before 'erno'"
says 'int f(void) fails if ret > 0;' "1:26: '< 0', '== 0' or '!= 0' is missing before '>'"
says 'int f(void) fails if ret < 1;' '1:28: a result can be compared with 0 alone'
says 'int f(void) fails if ret != 0 with errno;' "1:31: 'with errno' is said of '< 0' and '== 0' alone"
says 'int f(int g) calls g;' "1:20: 'g' is no function"
says 'int f(char *fd: string) closes;' '1:25: the first parameter is no descriptor'
says 'refused int f(void);' "1:20: say why it is refused, with 'because'"
says 'int f(void) because "x";' '1:13: only what is refused has a reason'
says 'double f(double x) forms x;' "1:26: 'f' or 'l' is missing before 'x'"
says $'int f(void);\nint g(void) also f;' '2:18: f has a model already, in line 1'

exits 'no such file' 1 "$tool" names no-such-file
exits 'usage' 2 "$tool" nothing "$types"
finish
