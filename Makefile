# recut: `make demo` builds and shows what it does, `make test` runs the suite.
# Both install what is missing first (tools/install-packages).
#
#   make                 build/bin/recut, build/bin/recut-cc, build/lib/*.a
#   make demo            builds, then shows the main job on a program with a bug
#   make test            the whole suite; TESTS='test/cli/x.t ...' for a part
#   make test-long       the same with all seeds and mutations
#   make test-real       real programs pass their own suites; PROGRAM=name for one
#   make bench           speed and memory; ROW=name for one row
#   make bench-cuts      parts of real programs, recorded; PROGRAM=name for one
#   make asan            the tools with ASan and UBSan, and the tests with those
#   make format, make check-format, make check-gcc (no warnings from gcc either)
#   make install PREFIX=/usr/local DESTDIR=, make uninstall
#   V=1                  print the commands as they are

PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build
CC := clang-19
AR := llvm-ar-19
V ?=
SANITIZE :=

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wvla
COMMON := -std=gnu17 -g -O2 $(WARN) -Isrc -Iinclude -D_GNU_SOURCE= -MMD -MP
TOOL_CFLAGS := $(COMMON) $(SANITIZE) -isystem /usr/lib/llvm-19/include
TOOL_LIBS := -L/usr/lib/llvm-19/lib -lLLVM-19 -lclang-19 -ldw -lelf -lzstd -lxxhash -lcjson
# The runtime is part of the user's program: no position independence, no
# protector that wants a thread pointer before there is one, no sections that
# would keep a user's --gc-sections from working.
RUNTIME_CFLAGS := $(COMMON) -fno-pie -fno-stack-protector -fno-plt -fvisibility=hidden \
	-ffunction-sections -gdwarf-4

CANONICAL_SRC := src/cc/canonical_main.c
CC_SRC := $(filter-out $(CANONICAL_SRC),$(wildcard src/cc/*.c))
CMD_SRC := $(wildcard src/cmd/*.c src/cmd/*.S)
# Commands that look into programs, by LLVM.
CMD_PROGRAM_SRC := $(filter src/cmd/info% src/cmd/dump% src/cmd/profile% src/cmd/prepare% \
	src/cmd/slice% src/cmd/test% src/cmd/arm% \
	src/cmd/graph_cache% src/cmd/cut%,$(CMD_SRC))
MODELS_MAIN := src/models/generate_main.c
TOOL_SRC := $(filter-out $(CC_SRC) $(CANONICAL_SRC) $(CMD_SRC) $(MODELS_MAIN) src/runtime/%, \
	$(wildcard src/*/*.c src/*/*/*.c))
HEAP_SRC := src/runtime/heap_dynamic.c src/runtime/heap_static.c
RUNTIME_SRC := $(filter-out $(HEAP_SRC),$(wildcard src/runtime/*.c src/runtime/*.S))
# What the runtime shares with the tools, compiled for it.
RUNTIME_FORMAT_SRC := src/format/model_table.c

obj = $(patsubst src/%,$(BUILD)/obj/%.o,$(1))
# One short line for each step, unless V=1.
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2);)
quietly = $(if $(V),,@)
jobs = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
submake = $(quietly)$(MAKE) --no-print-directory $(jobs)

.PHONY: all tools demo test test-long test-real test-crashes bench bench-cuts asan format check-format check-gcc install \
	uninstall clean run-tests run-asan unit-tests
.DELETE_ON_ERROR:

all:
	@tools/install-packages build
	$(submake) tools

# --- tools and runtime ---------------------------------------------------------

tools: $(BUILD)/bin/recut $(BUILD)/bin/recut-cc $(BUILD)/lib/recut-canonical \
	$(BUILD)/lib/recut-program $(BUILD)/lib/include/recut.h \
	$(BUILD)/lib/librecut-rt.a $(BUILD)/lib/librecut-dynamic.a $(BUILD)/lib/librecut-static.a
	@:

$(BUILD)/lib/include/%.h: include/%.h
	@mkdir -p $(@D)
	@cp $< $@

# Each takes what it uses out of one archive.
TOOL_LIB := $(BUILD)/obj/tools.a
$(BUILD)/bin/recut-cc: $(call obj,$(CC_SRC)) $(TOOL_LIB)
$(BUILD)/bin/recut: $(call obj,$(filter-out $(CMD_PROGRAM_SRC),$(CMD_SRC))) $(TOOL_LIB)
$(BUILD)/lib/recut-program: $(call obj,$(CMD_SRC)) $(TOOL_LIB)
$(BUILD)/lib/recut-canonical: $(call obj,$(CANONICAL_SRC)) $(TOOL_LIB)
$(BUILD)/bin/% $(BUILD)/lib/recut-%:
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(SANITIZE) -o $@ $^ -Wl,--as-needed $(TOOL_LIBS)
$(TOOL_LIB): $(call obj,$(TOOL_SRC)) $(BUILD)/obj/gen/models_builtin.c.o \
	$(BUILD)/obj/gen/models_text.c.o
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lib/librecut-rt.a: $(call obj,$(RUNTIME_SRC)) \
	$(patsubst src/%,$(BUILD)/obj/runtime/%.o,$(RUNTIME_FORMAT_SRC)) \
	$(BUILD)/obj/runtime/gen/models_builtin.c.o
$(BUILD)/lib/librecut-dynamic.a: $(call obj,src/runtime/heap_dynamic.c)
$(BUILD)/lib/librecut-static.a: $(call obj,src/runtime/heap_static.c)
$(BUILD)/lib/%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^

# Before libc is up there is no memcpy to turn a loop into.
$(BUILD)/obj/runtime/start.c.o $(BUILD)/obj/runtime/title.c.o: RUNTIME_CFLAGS += -fno-builtin

# What an assembler includes is in no list of dependences.
$(call obj,src/cmd/slice_page.S): $(wildcard src/cmd/slice_page.*)

# Models are compiled while recut is built: the table for the runtime and the
# tools, the text for the tools alone.  types.model declares what the others use.
MODELS := src/models/types.model \
	$(filter-out src/models/types.model,$(sort $(wildcard src/models/*.model)))
MODELS_TOOL := $(BUILD)/obj/recut-models
$(MODELS_TOOL): $(call obj,$(MODELS_MAIN) src/format/model_table.c $(wildcard src/base/*.c) \
		$(filter-out $(MODELS_MAIN) src/models/load.c,$(wildcard src/models/*.c)))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(SANITIZE) -o $@ $^
$(BUILD)/gen/models_builtin.c: $(MODELS_TOOL) $(MODELS)
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(MODELS_TOOL) table $(MODELS) >$@
$(BUILD)/gen/models_text.c: $(MODELS_TOOL) $(MODELS)
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(MODELS_TOOL) text $(MODELS) >$@
# The names of system calls, by number.
$(BUILD)/gen/system_calls.h:
	@mkdir -p $(@D)
	$(call say,GEN,$@)echo '#include <asm/unistd_64.h>' | $(CC) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/\2 \1/p' | sort -n | \
		sed 's/\(.*\) \(.*\)/    [\1] = "\2",/' >$@
$(BUILD)/obj/runtime/effect_syscall.c.o: $(BUILD)/gen/system_calls.h
$(BUILD)/obj/runtime/effect_syscall.c.o: RUNTIME_CFLAGS += -I$(BUILD)/gen
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(TOOL_CFLAGS) -c -o $@ $<

$(BUILD)/obj/runtime/gen/%.o: $(BUILD)/gen/%
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<
$(BUILD)/obj/runtime/format/%.o: src/format/%
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<
$(BUILD)/obj/runtime/%.o: src/runtime/%
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<
$(BUILD)/obj/%.o: src/%
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(TOOL_CFLAGS) -c -o $@ $<

# --- tests ---------------------------------------------------------------------

# A unit test links what it tests: the pool's tests the pool alone, which is
# no part of the tools, the others everything that is not a main program.
UNIT_SRC := $(wildcard test/unit/*_test.c)
UNIT_TESTS := $(patsubst test/%.c,$(BUILD)/test/%,$(UNIT_SRC))
POOL_TESTS := $(filter $(BUILD)/test/unit/pool%,$(UNIT_TESTS))
POOL_SRC := $(wildcard src/runtime/pool*.c)

# Traces by hand, for tests of commands.
TRACE_MAKE := $(BUILD)/test/lib/trace_make
TRACE_LIB_SRC := test/lib/trace_writer.c test/lib/trace_sample.c

unit-tests: $(UNIT_TESTS) $(TRACE_MAKE)
	@:
$(POOL_TESTS): $(BUILD)/test/%: test/%.c $(call obj,$(POOL_SRC))
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -no-pie -o $@ $(filter %.c %.o,$^) -lcmocka -lpthread
$(BUILD)/test/unit/trace_test $(TRACE_MAKE): $(TRACE_LIB_SRC)
$(filter-out $(POOL_TESTS),$(UNIT_TESTS)) $(TRACE_MAKE): $(BUILD)/test/%: test/%.c $(TOOL_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(TOOL_CFLAGS) -o $@ $(filter %.c,$^) $(filter %.a,$^) \
		-lcmocka $(TOOL_LIBS)

# The longest first, so that none of them ends alone.
LONGEST := test/real/fast.t test/replay/threads.t test/slice/programs.t
TESTS = $(UNIT_TESTS) $(LONGEST) \
	$(filter-out $(LONGEST),$(sort $(wildcard test/*.t test/*/*.t)))
PROVE := prove --exec '' --failures --comments --timer -j2

test:
	@tools/install-packages build test $(if $(RECUT_LONG),long)
	$(submake) tools unit-tests
	$(quietly)$(MAKE) --no-print-directory run-tests

test-long: export RECUT_LONG = 1
test-long: test

run-tests:
	@CMOCKA_MESSAGE_OUTPUT=TAP RECUT_BUILD=$(abspath $(BUILD)) \
		RECUT=$(abspath $(BUILD)/bin/recut) RECUT_CC=$(abspath $(BUILD)/bin/recut-cc) \
		$(PROVE) $(TESTS)

# Real programs that are not in `make test` take their packages along.
PROGRAM ?=
test-real:
	@tools/install-packages build test real
	$(submake) tools
	@test/real/run --install $(if $(PROGRAM),$(PROGRAM),--all --table docs/real-programs.md \
		--replay docs/replayed-programs.md)

# Published bugs, brought back; see docs/crash-tests.md.
CRASH ?=
test-crashes:
	@tools/install-packages build test real
	$(submake) tools
	@test/real/crash $(if $(CRASH),$(CRASH),--table docs/crash-tests.md)

# The tools only: the runtime and the user's program stay as they are, since
# sanitizers bring a heap and a stack of their own.
ASAN_TESTS = $(filter-out $(POOL_TESTS),$(UNIT_TESTS)) \
	$(filter-out test/real/%,$(sort $(wildcard test/*.t test/*/*.t)))
asan:
	@tools/install-packages build test
	$(quietly)ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		$(MAKE) --no-print-directory $(jobs) BUILD=build/asan \
		SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined' run-asan
run-asan: tools unit-tests
	@$(MAKE) --no-print-directory run-tests TESTS='$(ASAN_TESTS)'

# --- demo, bench ---------------------------------------------------------------

demo:
	@tools/install-packages build demo
	$(submake) tools
	@demo/run

ROW ?=
bench:
	@tools/install-packages build bench
	$(submake) tools
	@bench/run $(ROW)

bench-cuts:
	@tools/install-packages build bench cuts
	$(submake) tools
	@bench/cuts $(PROGRAM) $(ROW)

# --- format --------------------------------------------------------------------

C_FILES = $(shell find src include test/unit test/fuzz test/lib demo -name '*.[ch]' 2>/dev/null)
format:
	@tools/install-packages format
	clang-format-19 -i $(C_FILES)
check-format:
	@tools/install-packages format
	@clang-format-19 --dry-run --Werror $(C_FILES)

# Nothing is built: code generation is clang's.
check-gcc: $(BUILD)/gen/system_calls.h
	@for file in $(TOOL_SRC) $(CC_SRC) $(CANONICAL_SRC) $(MODELS_MAIN) $(filter %.c,$(CMD_SRC)) $(wildcard src/runtime/*.c); do \
		gcc $(filter-out -MMD -MP,$(TOOL_CFLAGS)) -I$(BUILD)/gen -Werror -fsyntax-only $$file || exit 1; done

# --- install -------------------------------------------------------------------

BIN := $(addprefix $(BUILD)/bin/,recut recut-cc)
LIB := $(addprefix $(BUILD)/lib/,librecut-rt.a librecut-dynamic.a librecut-static.a)
HEADERS := $(wildcard include/*.h)
MAN1 := $(wildcard docs/man/*.1)
to = $(DESTDIR)$(PREFIX)

install: all
	install -d $(to)/bin $(to)/lib/recut $(to)/share/man/man1
	install -m 755 $(BIN) $(to)/bin
	install -m 644 $(LIB) $(to)/lib/recut
	install -m 755 $(BUILD)/lib/recut-canonical $(BUILD)/lib/recut-program $(to)/lib/recut
	install -m 644 $(MAN1) $(to)/share/man/man1
	install -d $(to)/include $(to)/lib/recut/include
	install -m 644 $(HEADERS) $(to)/include
	install -m 644 $(HEADERS) $(to)/lib/recut/include

uninstall:
	rm -f $(addprefix $(to)/bin/,$(notdir $(BIN)))
	rm -rf $(to)/lib/recut
	rm -f $(addprefix $(to)/share/man/man1/,$(notdir $(MAN1)))
	rm -f $(addprefix $(to)/include/,$(notdir $(HEADERS)))

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj $(BUILD)/test -name '*.d' 2>/dev/null)
