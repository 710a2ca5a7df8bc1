#!/bin/bash
# recut record --cut and recut replay of its traces: every way in which a run can end, what tools say of such
# a trace, that a log which is not that of the run is noticed, and what is refused.
# shellcheck source=test/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
export XDG_CACHE_HOME=$work/cache RECUT_TRACE_DIR=$work/traces
programs=$root/test/cut/programs
"$RECUT_CC" -w -g -O1 -o ends "$programs/ends.c" "$programs/ends_module.c" || exit 1

record() { { timeout 60 "$RECUT" record -q "$@" >recorded 2>recorded.err; } 2>/dev/null; }
replay() { { timeout 60 "$RECUT" replay "$@" >replayed 2>replayed.err </dev/null; } 2>/dev/null; }

for strategy in tight mincut; do
	"$RECUT" cut -q -t ends_module.c --strategy=$strategy -o $strategy.cut ./ends 2>/dev/null ||
		fail "a cut, $strategy" </dev/null
	for how in 0 1 2 3 4 5 6 7 8 11 12 13 14; do
		rm -rf trace
		record --hash 1 --cut $strategy.cut -o trace ./ends $how
		status=$?
		replay --verify trace
		same "$strategy, $how: ends the same way ($status)" $? $status
	done
done

# The children of a program that is recorded at a cut, and the rest of it, print what they always print.
record --cut tight.cut -o child ./ends 13
like "a child prints, and is not recorded" "$(cat recorded)" '*child 3*text of 1 calls*'

# What tools say of it.
record --cut tight.cut -o trace0 ./ends 0
like 'events: a call into the module' "$("$RECUT" events trace0)" '*mod_work(*env_get(*'
ok 'dump: as JSON' "$RECUT" dump --json trace0
record --cut tight.cut ./ends 0
like 'ls: lists it' "$("$RECUT" ls)" '*ends*exit 2*'
ok 'pack and unpack' "$RECUT" pack -o packed.recut trace0
replay packed.recut
same 'a packed trace: ends the same way' $? 2
replay -g 2 trace0
like 'stops at an event' "$(cat replayed.err)" '*event 2*'

# A replay that is not the recorded run is noticed: one byte of what the module was told is another.
cp -r trace0 other
python3 - other/log.0 <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
# The result of the first call of env_get(): behind its site. Any bit there changes what follows.
site = data.index(b"env_get") + len(b"env_get")
data[site + 4] ^= 0x10
open(sys.argv[1], "wb").write(data)
PY
replay --verify other
exits 'a log with another value in it: refused or noticed' 0 test $? -ne 2

# The standard streams are elsewhere in a replay: what is compared with one is compared with that of the recording.
cat >streams.c <<'END'
#include <stdio.h>
FILE *chosen;
__attribute__((noinline)) void choose(int other) { chosen = other ? stderr : stdout; }
__attribute__((noinline)) void tell(const char *text) { fputs(text, chosen); }
int part(int times);
int main(void) { return part(3); }
END
cat >streams_part.c <<'END'
#include <stdio.h>
extern FILE *chosen;
void choose(int other), tell(const char *text);
int part(int times) {
    int others = 0;
    for (int i = 0; i < times; i++) {
        choose(i & 1);
        if (chosen != stdout) {
            tell("other\n");
            others++;
        }
        if (chosen == stderr)
            others += 4;
    }
    return others;
}
END
"$RECUT_CC" -w -g -O1 -o streams streams.c streams_part.c || exit 1
for strategy in tight mincut; do
	rm -rf streams.trace
	"$RECUT" cut -q -t streams_part.c --strategy=$strategy -o streams.cut ./streams 2>cut.err
	record --hash 1 --cut streams.cut -o streams.trace ./streams
	replay --verify streams.trace
	same "a standard stream that is compared: $strategy" $? 5
done

# Loads that give what they gave before are counted, also those behind the last event of a process that is killed.
cat >repeats.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
struct field {
    char small;
    short middle;
    int usual;
    long large;
};
struct field fields[8];
long part(int times, int dies);
__attribute__((noinline)) void change(int i) {
    struct field *field = &fields[i % 8];
    field->small++, field->middle -= 3, field->usual *= 5, field->large += 1L << 33;
}
__attribute__((noinline)) void die(void) { raise(SIGKILL); }
int main(int argc, char **argv) {
    for (int i = 0; i < 8; i++)
        fields[i] = (struct field){(char)i, (short)-i, 7 * i + 1, -i};
    printf("%ld\n", part(atoi(argv[1]), argc > 2));
    return 0;
}
END
cat >repeats_part.c <<'END'
struct field {
    char small;
    short middle;
    int usual;
    long large;
};
extern struct field fields[8];
void change(int i), die(void);
static __attribute__((noinline)) long look(const struct field *field) {
    return field->small + field->middle * 3L + field->usual * 5L + field->large;
}
long part(int times, int dies) {
    long sum = 0;
    for (int i = 0; i < times; i++) {
        sum = sum * 31 + look(&fields[i & 7]);
        if (i % 1000 == 999)
            change(i / 1000);
    }
    if (dies)
        die();
    return sum;
}
END
"$RECUT_CC" -w -g -O1 -o repeats repeats.c repeats_part.c || exit 1
"$RECUT" cut -q -t repeats_part.c --strategy=tight -o repeats.cut ./repeats 2>cut.err || fail 'a cut that loads' <cut.err
record --hash 1 --cut repeats.cut -o repeats0 ./repeats 100000
replay --verify repeats0
same 'loads that repeat: all hashes are equal' $? 0
record --cut repeats.cut -o repeats1 ./repeats 100000
replay repeats1
same 'loads that repeat: replayed' $? 0
ok 'loads that repeat: not in the log' test "$(stat -c %s repeats1/log.0)" -lt 12000
like 'loads that repeat: counted' "$("$RECUT" events --stat --json repeats1)" '*"repeated":*399???,*'
record --cut repeats.cut -o repeats2 ./repeats 100500 dies
replay repeats2
like 'loads that repeat, killed behind them: the log ends there' "$(cat replayed.err)" '*ends here*in*die at*'
python3 - repeats1/log.0 <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
# One load more before the first call: behind its site, the head of a call, then 2 * repeated.  The chunk has no
# hash then.
data[4096 + 12] = 0
at = data.index(b"change") + len(b"change")
data[at + 1] += 2
open(sys.argv[1], "wb").write(data)
PY
replay repeats1
like 'loads that repeat, another number of them: noticed' "$(cat replayed.err)" '*how many loads gave what they gave before*'

# What a call wrote in more places than are noted: the recording ends by name, the program goes on.
cat >many.c <<'END'
#include <stdio.h>
#include <sys/uio.h>
static char bytes[1000];
__attribute__((noinline)) int part(void) {
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += bytes[i];
    return sum;
}
int main(void) {
    struct iovec pieces[500];
    for (int i = 0; i < 500; i++) pieces[i] = (struct iovec){bytes + 2 * i, 1};
    if (readv(0, pieces, 500) < 0) return 1;
    printf("%d\n", part());
    return 0;
}
END
"$RECUT_CC" -g -O1 -o many many.c && "$RECUT" cut -q -t part --strategy=eager -o many.cut ./many 2>/dev/null
head -c 500 /dev/zero | tr '\0' a >letters
{ "$RECUT" record --cut many.cut -o many.trace ./many <letters >recorded 2>recorded.err; } 2>/dev/null
same 'very many places: the program goes on' "$(cat recorded)" 48500
like '... and the recording ends' "$(cat recorded.err)" '*recording ends here: readv:*'

# A block that is freed twice by environment is refused, as without a cut.
cat >twice.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) char *part(void) { return malloc(100); }
int main(void) {
    char *volatile block = part();
    free(block);
    free(block);
    return 0;
}
END
"$RECUT_CC" -w -g -O1 -o twice twice.c && "$RECUT" cut -q -t part --strategy=tight -o twice.cut ./twice 2>/dev/null
record --cut twice.cut -o twice.trace ./twice
same 'a block that is freed twice ends the program' $? 134

# A bit of the log that is another one is damage, not the end of the recording.
cp -r trace0 damaged
python3 - damaged/log.0 <<'PY'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[data.index(b"env_get")] ^= 4
open(sys.argv[1], "wb").write(data)
PY
exits 'a log with a damaged chunk is refused' 65 "$RECUT" replay damaged

# Deep recursion over the cut: the machine stack that it takes is not the program's.
cat >deep.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static long depth, fuel;
__attribute__((noinline)) long part(long n);
__attribute__((noinline)) long other(long n) { return n ? part(n - 1) * 3 + 1 : 7; }
__attribute__((noinline)) long part(long n) { return n ? other(n - 1) ^ n : 5; }
static int compare(const void *a, const void *b);
__attribute__((noinline)) int sort(void) {
    int few[3] = {3, 1, 2};
    qsort(few, 3, sizeof *few, compare);
    return few[0];
}
static int compare(const void *a, const void *b) {
    return (++depth < fuel ? sort() - 1 : 0) + *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv) {
    fuel = atol(argv[1]);
    printf("%ld %d\n", part(fuel * 40), sort());
    return argc;
}
END
"$RECUT_CC" -g -O1 -o deep deep.c && ./deep 1500 >wanted
for target in part compare sort; do
	for strategy in tight eager; do
		"$RECUT" cut -q -t $target --strategy=$strategy -o deep.cut ./deep 2>/dev/null
		rm -rf deep.trace
		record --hash 1 --cut deep.cut -o deep.trace ./deep 1500
		same "deep recursion, $target, $strategy: runs as it does" "$(cat recorded recorded.err)" "$(cat wanted)"
		replay --verify deep.trace
		same '... and replays' "$? $(cat replayed.err)" '2 '
	done
done

# What is copied from libc's own heap, and only goes back to it, is not logged; nor is that heap there.
cat >address.c <<'END'
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
__attribute__((noinline)) int part(const struct addrinfo *found, struct sockaddr_in *in, int fd) {
    memcpy(in, found->ai_addr, sizeof *in);
    return connect(fd, (struct sockaddr *)in, sizeof *in);
}
int main(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
    struct sockaddr_in in;
    if (getaddrinfo("127.0.0.1", "9", &hints, &found)) return 1;
    printf("%d\n", part(found, &in, socket(AF_INET, SOCK_DGRAM, 0)));
    return 2;
}
END
"$RECUT_CC" -g -O1 -o address address.c
for target in part whole; do
	"$RECUT" cut -q -t $target -o address.cut ./address 2>/dev/null
	rm -rf address.trace
	record --hash 1 --cut address.cut -o address.trace ./address
	replay --verify address.trace
	same "an address from getaddrinfo(), $target" "$? $(cat recorded replayed.err)" '2 0'
done

# What mmap() maps is memory like other memory, with what is in the file.
cat >map.c <<'END'
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
__attribute__((noinline)) int part(const char *text, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 31 + text[i];
    return s;
}
__attribute__((noinline)) char *map(const char *path) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, open(path, O_RDONLY), 0);
}
int main(int argc, char **argv) {
    char *text = map(argv[1]);
    int s = part(text, 4000);
    memset(text + 10, 'y', 5);
    s ^= part(text, 4000);
    for (int round = 0; round < 3; round++) {
        char *more = mmap(NULL, 3000000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        s = s * 3 + part(more, 3000);
        strcpy(more + 100, "hello");
        s ^= part(more, 300);
        munmap(more, 3000000);
    }
    munmap(text, 4096);
    return s & 63;
}
END
"$RECUT_CC" -w -g -O1 -o map map.c
"$RECUT" profile -q -o map.p ./map "$programs/ends.c"
for target in part map whole; do
	for strategy in mincut tight eager; do
		"$RECUT" cut -q -t $target --strategy=$strategy -p map.p -o map.cut ./map
		rm -rf map.trace
		record --hash 1 --cut map.cut -o map.trace ./map "$programs/ends.c"
		status=$?
		replay --verify map.trace
		same "mmap(), $target, $strategy: ends the same way ($status)" "$? $(cat replayed.err)" "$status "
	done
done

# What libc keeps to itself, and what it does to variables of its own.
arguments=(rest -a -b value other --xx=5 --yy -c tail)
for how in 0 1 2 3 4 5 6; do
	"$RECUT_CC" -w -g -O1 -fno-inline -DHOW=$how -o hidden "$programs/hidden.c" -lm
	"$RECUT" profile -q -o hidden.p ./hidden "${arguments[@]}" 2>/dev/null
	for target in part main whole; do
		for strategy in mincut tight; do
			"$RECUT" cut -q -t $target --strategy=$strategy -p hidden.p -o hidden.cut ./hidden
			rm -rf hidden.trace
			record --hash 1 --cut hidden.cut -o hidden.trace ./hidden "${arguments[@]}"
			status=$?
			replay --verify hidden.trace 2>/dev/null
			same "hidden state $how, $target, $strategy: ends the same way" $? $status
		done
	done
done

# A pointer to memory of a library, or of the program: the address tells.
cat >library.c <<'END'
#include <stdlib.h>
#include <string.h>
struct text { int length; char bytes[40]; };
const struct text *library_text(int n) {
    static struct text *text;
    if (!text) text = malloc(sizeof *text);
    strcpy(text->bytes, n & 1 ? "odd" : "even numbers");
    text->length = (int)strlen(text->bytes);
    return text;
}
END
cat >either.c <<'END'
#include <string.h>
struct text { int length; char bytes[40]; };
const struct text *library_text(int n);
static struct text own = {3, "own"};
int part(const struct text *text) {
    struct text copy = *text;
    return text->length * 7 + text->bytes[1] + (int)strlen(text->bytes) + strcmp(text->bytes, "even") + copy.bytes[2];
}
static const struct text *either(int n) { return n % 3 ? library_text(n) : &own; }
int main(int argc, char **argv) {
    int sum = 0;
    (void)argv;
    for (int n = 0; n < 6; n++) own.length += n, sum = sum * 31 + part(either(n + argc));
    return sum & 63;
}
END
"$CLANG" -shared -fPIC -o libtext.so library.c
"$RECUT_CC" -w -g -O1 -fno-inline -o either either.c -L. -ltext -Wl,-rpath,"$work"
"$RECUT" profile -q -o either.p ./either
for target in part either whole; do
	for strategy in mincut tight; do
		"$RECUT" cut -q -t $target --strategy=$strategy -p either.p -o either.cut ./either
		rm -rf either.trace
		record --hash 1 --cut either.cut -o either.trace ./either
		status=$?
		replay --verify either.trace
		same "memory of either side, $target, $strategy: ends the same way ($status)" "$? $(cat replayed.err)" "$status "
	done
done

# A stack without an end: in replay space alone, and over the cut.
cat >endless.c <<'END'
#include <stdio.h>
__attribute__((noinline)) long part(long n);
__attribute__((noinline)) long other(long n) { return n > 100 ? part(n + 1) + 1 : part(n + 1) * 2; }
#ifdef OVER
__attribute__((noinline)) long part(long n) { return other(n) + n; }
#else
__attribute__((noinline)) long part(long n) { return n > 50 ? part(n + 1) * 2 + n : other(n) + 1; }
#endif
int main(int argc, char **argv) { (void)argv; return printf("%ld\n", part(argc)) & 1; }
END
for over in '' -DOVER; do
	"$RECUT_CC" $over -g -O1 -o endless endless.c
	for strategy in tight mincut; do
		"$RECUT" cut -q -t part --strategy=$strategy -o endless.cut ./endless 2>/dev/null
		rm -rf endless.trace
		record --cut endless.cut -o endless.trace ./endless
		replay endless.trace
		same "a stack that is used up, $strategy $over: the same crash" $? 139
	done
done

# In gdb: breakpoints are set before the image is there; statics are those of the program.
if command -v gdb >/dev/null; then
	printf '%s\n' 'break mod_log' run 'print calls' 'info symbol $pc' kill | "$RECUT" replay --gdb trace0 >gdb.out 2>&1
	like 'gdb: stops at a breakpoint in the part' "$(cat gdb.out)" '*Breakpoint *mod_log *ends_module.c*'
	like 'gdb: prints a static of the part' "$(cat gdb.out)" '*$1 = 1*'
else
	skip 'gdb' 'gdb is not installed'
fi


# Lists that libc makes, in a heap of its own right behind the executable.
"$RECUT_CC" -w -g -O1 -o lists "$programs/lists.c"
for strategy in mincut eager; do
	"$RECUT" cut -q -t whole --strategy=$strategy -o lists.cut ./lists 2>/dev/null
	rm -rf lists.trace
	record --hash 1 --cut lists.cut -o lists.trace ./lists
	status=$?
	replay --verify lists.trace
	same "lists of libc's, $strategy: ends the same way ($status)" $? $status
done

# Atomic operations of threads that are all in replay space.  Whether all wait is a question that
# threads ask while others go on: once in 500 replays the answer was wrong.
"$RECUT_CC" -w -g -O1 -o atomics "$programs/atomics.c" -lpthread
"$RECUT" cut -q -t whole -o atomics.cut ./atomics 2>/dev/null
for i in 1 2 3; do
	rm -rf atomics.trace
	record --hash 1 --cut atomics.cut -o atomics.trace ./atomics
	status=$?
	replay --verify atomics.trace
	same "atomic operations, $i: ends the same way ($status)" $? $status
done
if is_long; then
	wrong=0
	for ((i = 0; i < 1000; i++)); do
		replay --verify atomics.trace
		[ $? = $status ] || wrong=$((wrong + 1))
	done
	same "atomic operations, 1000 replays of one recording" $wrong 0
fi

# Atomic operations whose results are in the log: hashes are of what the log says.
"$RECUT_CC" -w -g -O1 -o counted "$programs/counted.c"
"$RECUT" cut -q -t counted --strategy tight -o counted.cut ./counted 2>/dev/null
record --hash 1 --cut counted.cut -o counted.trace ./counted
status=$?
like 'counted: what the part reads is logged' "$(cat counted.cut)" '*logged*'
replay --verify counted.trace
same "counted: ends the same way ($status)" $? $status

# Characters: one by one, of more streams than are kept in mind, and with others that use the stream.
seq 1 9000 >numbers
"$RECUT_CC" -w -g -O1 -o characters "$programs/characters.c"
"$RECUT" cut -q -t whole -o characters.cut ./characters 2>/dev/null
for how in plain mix others; do
	rm -rf characters.trace
	record --hash 1 --cut characters.cut -o characters.trace ./characters $how numbers
	status=$?
	replay --verify characters.trace
	same "characters, $how: ends the same way ($status)" $? $status
	[ $how != plain ] ||
		exits 'characters, plain: the log is about as large as what was read' 0 \
			test "$(cat characters.trace/log.* | wc -c)" -lt $(($(wc -c <numbers) * 12 / 10 + 4096))
done

# Environment sorts, and its comparator of the part asks environment: calls of both sides at a time.
"$RECUT_CC" -w -g -O1 -o sorted "$programs/sorted.c" -lpthread
"$RECUT" cut -q -t compare -t total --strategy tight -o sorted.cut ./sorted 2>/dev/null
record --hash 1 --cut sorted.cut -o sorted.trace ./sorted
status=$?
same 'sorted: is recorded to its end' "$(cat recorded.err)" ''
replay --verify sorted.trace
same "sorted: ends the same way ($status)" $? $status

# Threads that are at work when the program ends.
"$RECUT_CC" -w -g -O1 -o left "$programs/left.c" -lpthread
"$RECUT" cut -q -t whole -o left.cut ./left 2>/dev/null
for i in 1 2 3; do
	rm -rf left.trace
	record --hash 1 --cut left.cut -o left.trace ./left
	status=$?
	replay --verify left.trace
	same "threads at work at the end, $i: ends the same way ($status)" $? $status
done

# What frames and blocks begin with, and nobody looks at.
head -c 300000 /dev/urandom >noise
"$RECUT_CC" -w -g -O1 -o beginnings "$programs/beginnings.c"
for target in part whole; do
	"$RECUT" cut -q -t $target -o beginnings.cut ./beginnings 2>/dev/null
	rm -rf beginnings.trace
	record --hash 1 --cut beginnings.cut -o beginnings.trace ./beginnings <noise
	status=$?
	replay --verify beginnings.trace
	same "what nobody looks at, $target: ends the same way ($status)" "$? $(cat replayed.err)" "$status "
done

# Children that share memory with their parent, by vfork(): what they do is not in its log.
"$RECUT_CC" -w -g -O1 -o children "$programs/children.c"
for target in part* whole environment_child; do
	for strategy in mincut tight; do
		"$RECUT" cut -q -t "$target" --strategy=$strategy -o children.cut ./children 2>/dev/null
		rm -rf children.trace
		record --hash 1 --cut children.cut -o children.trace ./children
		status=$?
		like "children, $target, $strategy: all of them did what they do" "$(cat recorded)" '0 0 1*4 4 2*20 20 6'
		replay --verify children.trace
		same "... and it ends the same way ($status)" $? $status
	done
done

# What is refused.
head -c 100 tight.cut >short.cut
exits 'a cut that is cut off' 65 "$RECUT" record -q --cut short.cut -o refused ./ends
exits 'a cut that is not there' 1 "$RECUT" record -q --cut nowhere.cut -o refused ./ends
sed 's/calls++/calls += 2/' "$programs/ends_module.c" >changed.c
"$RECUT_CC" -w -g -O1 -o changed "$programs/ends.c" changed.c
exits 'a cut of another build' 65 "$RECUT" record -q --cut tight.cut -o refused ./changed
like '... says so' "$(cat .out)" '*another build*'
exits 'with --threads=serial' 2 "$RECUT" record -q --threads=serial --cut tight.cut -o refused ./ends
ok 'nothing is left of a recording that was refused' test ! -e refused
finish
