# interleavings.py RECUT RECUT_CC DIRECTORY FIRST COUNT: do slices of programs with threads have
# all that can influence?
#
# Makes tiny programs with threads, locks, semaphores, barriers and calls, one for each seed, and runs
# each in all interleavings of its accesses to memory, with every branch going both ways.  What it
# computes with are not values but sets of lines: those that a value came about by.  Who has waited
# goes on by what those came about by that it waited for.  At the criterion, the union over all
# executions is what can influence it.  A slice has to have all of that; what it has besides is
# counted.  Krinke's algorithms 1 and 2 have to agree.
#
# Prints TAP for the lot, and the first few programs for which it is not so.
import os
import random
import subprocess
import sys

VARIABLES = "abcd"


class Program:
    """Lines of C, and for each function a list of steps: what one thread does at a time."""

    def __init__(self, seed, attempt):
        self.random = random.Random(100 * seed + attempt)
        self.lines = []
        self.inputs = 0
        self.statements = set()
        self.bodies = {}
        self.make()

    def emit(self, text, counts=False):
        self.lines.append(text)
        if counts:
            self.statements.add(len(self.lines))
        return len(self.lines)

    def input(self):
        self.inputs += 1
        return f"in[{self.inputs - 1}]"

    def variable(self):
        return self.random.choice(VARIABLES)

    def statement(self, depth=0):
        """Steps: ("load", variable), ("store", variable, line), ..."""
        kind = self.random.random()
        pad = "    " * (depth + 1)
        if depth and self.waits == "semaphore" and self.random.random() < 0.4:
            return [("post", self.emit(f"{pad}sem_post(&s);", True))]
        if kind < 0.15 and depth == 0:
            x = self.variable()
            line = self.emit(f"{pad}if ({x} > {self.input()})", True)
            inner = self.statement(1)
            return [("load", x), ("branch", line, len(inner))] + inner
        if kind < 0.35:
            y = self.variable()
            line = self.emit(f"{pad}put_{self.put}({y} + {self.input()});", True)
            return [("load", y), ("store", self.put, (line, self.put_line))]
        if kind < 0.5:
            x = self.variable()
            line = self.emit(f"{pad}{x} = {self.input()};", True)
            return [("store", x, (line,))]
        x, y = self.variable(), self.variable()
        if kind < 0.65:
            z = self.variable()
            line = self.emit(f"{pad}{x} = {y} + {z} + {self.input()};", True)
            return [("load", y), ("load", z), ("store", x, (line,))]
        line = self.emit(f"{pad}{x} = {y} + {self.input()};", True)
        return [("load", y), ("store", x, (line,))]

    def waiting(self):
        """Posts and waits; at a barrier each thread arrives once or twice."""
        if self.waits == "semaphore" and self.random.random() < 0.35:
            name = self.random.choice(["post", "wait"])
            return [(name, self.emit(f"    sem_{name}(&s);", True))]
        if self.waits == "barrier" and self.arrivals:
            self.arrivals -= 1
            line = self.emit("    pthread_barrier_wait(&w);", True)
            return [("arrive", line), ("pass", line)]
        return []

    def block(self, count):
        steps = self.waiting() if self.random.random() < 0.5 else []
        while count > 0:
            if self.random.random() < 0.5:
                steps += self.waiting()
            if self.random.random() < 0.3:
                self.emit(f"    {self.locks[0]};")
                steps.append(("lock",))
                for _ in range(self.random.randint(1, 2)):
                    steps += self.statement()
                    count -= 1
                self.emit(f"    {self.locks[1]};")
                steps.append(("unlock",))
            else:
                steps += self.statement()
                count -= 1
        return steps

    def make(self):
        self.waits = self.random.choice(["semaphore", "semaphore", "barrier", None])
        self.posted = self.random.choice([0, 0, 0, 1])
        self.locks = self.random.choice([("pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)"),
                                         ("take(&m)", "give(&m)"), ("take_it()", "give(&m)")])
        self.emit("#include <pthread.h>")
        self.emit("#include <semaphore.h>")
        self.emit("#include <stdio.h>")
        self.emit("static int a, b, c, d, in[100];")
        self.emit("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
        self.emit("static void take(pthread_mutex_t *of) { pthread_mutex_lock(of); }")
        self.emit("static void give(pthread_mutex_t *of) { pthread_mutex_unlock(of); }")
        self.emit("static void take_it(void) { take(&m); }")
        self.emit("static sem_t s;")
        self.emit("static pthread_barrier_t w;")
        self.put = self.variable()
        self.emit(f"static void put_{self.put}(int v) {{")
        self.put_line = self.emit(f"    {self.put} = v;", True)
        self.emit("}")
        threads = self.random.randint(1, 2)
        self.together = self.random.randint(2, threads + 1)
        rounds = self.random.choice([1, 1, 2])
        for t in range(threads):
            self.arrivals = rounds
            self.emit(f"static void *work{t}(void *unused) {{")
            self.bodies[t] = self.block(self.random.randint(1, 3))
            self.emit("    return unused;")
            self.emit("}")
        self.emit("int main(void) {")
        self.emit("    pthread_t threads0, threads1;")
        self.emit('    if (scanf("%d", in) != 1) return 1;')
        if self.waits == "semaphore":
            self.emit(f"    sem_init(&s, 0, {self.posted});")
        if self.waits == "barrier":
            self.emit(f"    pthread_barrier_init(&w, NULL, {self.together});")
        self.arrivals = 0
        steps = self.block(self.random.randint(0, 1))
        self.arrivals = rounds
        alive = []
        for t in range(threads):
            line = self.emit(f"    pthread_create(&threads{t}, NULL, work{t}, NULL);", True)
            steps.append(("create", t, line))
            alive.append(t)
            steps += self.block(self.random.randint(0, 2))
            if self.random.random() < 0.4:
                steps += self.join(alive)
        while alive and self.random.random() < 0.8:
            steps += self.join(alive)
            steps += self.block(self.random.randint(0, 2))
        self.wanted = self.variable()
        self.criterion = self.emit(f'    printf("%d\\n", {self.wanted});')
        self.emit("    return 0;")
        self.emit("}")
        self.bodies["main"] = steps + [("load", self.wanted), ("end",)]

    def join(self, alive):
        t = alive.pop(self.random.randrange(len(alive)))
        self.emit(f"    pthread_join(threads{t}, NULL);")
        return [("join", t)]

    # A state: for each thread (pc, what it has loaded, why it is here, until where, by whom it went
    # on), what each variable came about by, who has the lock, and the semaphore and the barrier.

    def influences(self):
        order = ["main"] + [t for t in self.bodies if t != "main"]
        main = (0, 0, 0, -1, 0)
        waits = (self.posted, 0, frozenset(), frozenset())
        start = ((main,) + ((None),) * (len(order) - 1), (0,) * len(VARIABLES), None, waits)
        seen, work, result = {start}, [start], None
        while work:
            state = work.pop()
            for i, name in enumerate(order):
                if state[0][i] is None or state[0][i][0] >= len(self.bodies[name]):
                    continue
                for after in self.step(state, i, order):
                    if isinstance(after, int):
                        result = after | (result or 0)
                    elif after not in seen:
                        seen.add(after)
                        work.append(after)
            if len(seen) > 60000:
                return None
        if result is None:  # all wait for each other
            return None
        return {line for line in self.statements if result >> line & 1}

    def step(self, state, i, order):
        threads, memory, owner, waits = state
        pc, loaded, why, until, kept = threads[i]
        step = self.bodies[order[i]][pc]
        if until == pc:
            why, until = threads[i][2] & self.base(threads, i), -1

        def with_thread(pc, loaded=loaded, why=why, until=until, kept=kept, memory=memory,
                        owner=owner, more=None, waits=waits):
            changed = list(threads)
            changed[i] = (pc, loaded, why, until, kept)
            if more:
                changed[more[0]] = more[1]
            return (tuple(changed), memory, owner, waits)

        if step[0] == "load":
            return [with_thread(pc + 1, loaded | memory[VARIABLES.index(step[1])])]
        if step[0] == "store":
            mask = loaded | why | kept
            for line in step[2]:
                mask |= 1 << line
            changed = list(memory)
            changed[VARIABLES.index(step[1])] = mask
            return [with_thread(pc + 1, 0, memory=tuple(changed))]
        if step[0] == "branch":
            inside = why | loaded | 1 << step[1]
            return [
                with_thread(pc + 1 + step[2], 0),
                with_thread(pc + 1, 0, inside, pc + 1 + step[2]),
            ]
        if step[0] == "lock":
            return [with_thread(pc + 1, owner=i)] if owner is None else []
        if step[0] == "unlock":
            return [with_thread(pc + 1, owner=None)]
        if step[0] == "create":
            other = order.index(step[1])
            return [with_thread(pc + 1, 0, more=(other, (0, 0, why | 1 << step[2], -1, kept)))]
        if step[0] == "join":
            other = threads[order.index(step[1])]
            over = other is not None and other[0] >= len(self.bodies[step[1]])
            return [with_thread(pc + 1, 0)] if over else []
        if step[0] in ("post", "wait", "arrive", "pass"):
            after = self.wait(step[0], i, waits, why | kept | 1 << step[1])
            if after is None:
                return []
            return [with_thread(pc + 1, kept=kept | after[1], waits=after[0])]
        return [loaded | why | kept]  # the end

    def wait(self, name, i, waits, mask):
        """The semaphore and the barrier behind it: how many posts, by whom they came about, who is at
        the barrier and why, who may go on and why.  And by whom the thread goes on; None if it
        cannot."""
        posts, whom, there, free = waits
        if name == "post":
            return (posts + 1, whom | mask, there, free), 0
        if name == "wait":
            return ((posts - 1, whom, there, free), whom | mask) if posts else None
        if name == "arrive":
            there = there | {(i, mask)}
            if len(there) == self.together:
                reasons = 0
                for _, other in there:
                    reasons |= other
                there, free = frozenset(), free | {(other, reasons) for other, _ in there}
            return (posts, whom, there, free), 0
        for thread, reasons in free:
            if thread == i:
                return (posts, whom, there, free - {(thread, reasons)}), reasons
        return None

    def base(self, threads, i):
        """Why the thread is there at all: branches are of no concern behind them."""
        if i == 0:
            return 0
        return 1 << self.creation[i]

    def text(self):
        return "\n".join(self.lines) + "\n"


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def slice_lines(recut, exe, program, name, *options):
    at = f"{name}.c:{program.criterion}:{program.wanted}"
    done = run([recut, "slice", exe, "--at", at, "--format", "lines", *options])
    if done.returncode:
        return None
    return {int(line.rsplit(":", 1)[1]) for line in done.stdout.split()} & program.statements


def main():
    recut, compiler, directory, first, count = sys.argv[1:6]
    bad, skipped, needed, extra, exact = [], 0, 0, 0, 0
    for seed in range(int(first), int(first) + int(count)):
        for attempt in range(8):
            program = Program(seed, attempt)
            program.creation = {
                int(step[1]) + 1: step[2] for step in program.bodies["main"] if step[0] == "create"
            }
            influences = program.influences()
            if influences is not None:
                break
        if influences is None:
            skipped += 1
            continue
        name = f"seed{seed}"
        path, exe = os.path.join(directory, name + ".c"), os.path.join(directory, name)
        with open(path, "w") as file:
            file.write(program.text())
        built = run([compiler, "-w", "-g", "-O0", "-pthread", "-o", exe, path])
        by_two = slice_lines(recut, exe, program, name) if not built.returncode else None
        by_one = slice_lines(recut, exe, program, name, "--by-definition") if by_two is not None else None
        if by_two is None or by_one is None:
            bad.append((seed, "cannot be sliced: " + built.stderr))
            continue
        missing = influences - by_two
        if missing:
            bad.append((seed, f"missing lines {sorted(missing)} for {program.wanted}"))
        if by_one != by_two:
            bad.append((seed, f"algorithm 1 has {sorted(by_one - by_two)}, 2 has {sorted(by_two - by_one)}"))
        needed += len(influences)
        extra += len(by_two - influences)
        exact += by_two == influences
        if not missing and by_one == by_two:
            os.remove(path)
        os.remove(exe)
    done = int(count) - skipped
    print(f"# {done} programs ({skipped} too large, or wait forever): {needed} lines influence, slices have {extra} more"
          f" ({100 * extra / max(needed, 1):.1f} %); {exact} slices are exact")
    for seed, why in bad[:5]:
        print(f"# seed {seed}: {why}")
    print("ok" if not bad and done > 0 else "not ok",
          f"1 - {done} programs in all interleavings: nothing that influences is missing")
    print("1..1")
    return bool(bad)


sys.exit(main())
