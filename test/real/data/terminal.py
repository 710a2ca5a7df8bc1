# terminal.py KEYS COMMAND...: who types at a program that wants a terminal?
#
# Runs COMMAND on a pseudo-terminal of 24 lines and types KEYS, one word after the other:
# each when the screen has been still for a while.  In a word, \e is escape, \n return,
# \t tabulator, \s a space, \cX a control key.  What the program prints goes to stdout; the exit
# status is its own, or 124 when it still runs half a minute after the last key.
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

STILL = 0.25  # seconds without output
PATIENCE = 30


def typed(word):
    names = {"e": "\033", "n": "\r", "t": "\t", "s": " "}
    word = re.sub(r"\\c(.)", lambda m: chr(ord(m[1].upper()) & 31), word)
    return re.sub(r"\\([ents])", lambda m: names[m[1]], word).encode()


def read(terminal, seconds):
    """False: the program is gone.  None: it said nothing."""
    if not select.select([terminal], [], [], seconds)[0]:
        return None
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return False
    sys.stdout.buffer.write(data)
    return bool(data)


def wait_until_still(terminal, is_first):
    end = time.monotonic() + PATIENCE
    said = False
    while time.monotonic() < end:
        got = read(terminal, STILL if said else 1)
        if got is False:
            return False
        if got is None and said:
            return True
        said = said or bool(got)
        if not said and not is_first and end - time.monotonic() < PATIENCE - 2:
            return True  # the key changed nothing on the screen
    return True


pid, terminal = pty.fork()
if pid == 0:
    os.environ.setdefault("TERM", "vt100")
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
for i, word in enumerate(sys.argv[1].split()):
    if not wait_until_still(terminal, i == 0):
        break
    os.write(terminal, typed(word))
end = time.monotonic() + PATIENCE
while read(terminal, 0.5) is not False:
    if time.monotonic() > end:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        sys.exit(124)
sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
