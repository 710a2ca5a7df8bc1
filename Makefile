# recut: `make demo` builds and shows what it does, `make test` runs the suite.
# Both install what is missing first (tools/install-packages).

PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build
CC := clang-19
AR := llvm-ar-19
LLVM_CONFIG := llvm-config-19

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wvla
COMMON := -std=gnu17 -g -O2 $(WARN) -Isrc -Iinclude -D_GNU_SOURCE -MMD -MP
TOOL_CFLAGS := $(COMMON) -isystem /usr/lib/llvm-19/include
TOOL_LIBS := -L/usr/lib/llvm-19/lib -lLLVM-19 -lelf -lzstd -lxxhash -lcjson
# The runtime is part of the user's program: no position independence, no
# protector that wants a thread pointer before there is one, no sections that
# would keep a user's --gc-sections from working.
RUNTIME_CFLAGS := $(COMMON) -fno-pie -fno-stack-protector -fno-plt -fvisibility=hidden \
	-ffunction-sections -gdwarf-4

TOOL_SRC := $(wildcard src/base/*.c src/format/*.c src/models/*.c src/program/*.c \
	src/program/canonical/*.c src/analysis/*.c src/instrument/*.c)
CC_SRC := $(wildcard src/cc/*.c)
CMD_SRC := $(wildcard src/cmd/*.c)
HEAP_SRC := src/runtime/heap_dynamic.c src/runtime/heap_static.c
RUNTIME_SRC := $(filter-out $(HEAP_SRC),$(wildcard src/runtime/*.c)) src/runtime/attach.S

obj = $(patsubst src/%,$(BUILD)/obj/%.o,$(1))

.PHONY: all demo test test-long test-real bench install clean packages tools
all: packages
	@$(MAKE) --no-print-directory tools

# Quick when nothing is missing; prints what is wanted on other systems.
packages:
	@tools/install-packages build

tools: $(BUILD)/bin/recut $(BUILD)/bin/recut-cc \
	$(BUILD)/lib/librecut-rt.a $(BUILD)/lib/librecut-dynamic.a $(BUILD)/lib/librecut-static.a

$(BUILD)/bin/recut-cc: $(call obj,$(TOOL_SRC) $(CC_SRC))
$(BUILD)/bin/recut: $(call obj,$(TOOL_SRC) $(CMD_SRC))
$(BUILD)/bin/%:
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(TOOL_LIBS)

$(BUILD)/lib/librecut-rt.a: $(call obj,$(RUNTIME_SRC))
$(BUILD)/lib/librecut-dynamic.a: $(call obj,src/runtime/heap_dynamic.c)
$(BUILD)/lib/librecut-static.a: $(call obj,src/runtime/heap_static.c)
$(BUILD)/lib/%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/obj/runtime/%.o: src/runtime/%
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<
$(BUILD)/obj/%.o: src/%
	@mkdir -p $(@D)
	$(CC) $(TOOL_CFLAGS) -c -o $@ $<

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
