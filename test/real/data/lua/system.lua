-- Files, pipes, time, the environment, modules, goto.
local name = os.tmpname()
local f = assert(io.open(name, "w"))
for i = 1, 1000 do f:write(i, " ", i * 0.5, "\n") end
f:close()
local lines, total = 0, 0
for a, b in io.lines(name, "n", "n") do lines = lines + 1; total = total + a - 2 * b end
assert(lines == 1000 and total == 0)
f = assert(io.open(name, "r+b"))
assert(f:seek("end") == f:seek("cur") and f:seek("set", 2) == 2 and f:read(3) == "0.5")
assert(f:read(0) == "" and #f:read("a") > 100 and f:read("l") == nil)
f:setvbuf("full", 64) f:seek("set") f:write("XX") f:close()
assert(io.open(name):read("L") == "XX0.5\n")
assert(os.rename(name, name .. ".2") and os.remove(name .. ".2") and not io.open(name))
assert(io.popen("echo out; exit 3"):read("a") == "out\n")
assert(select(3, io.popen("exit 3"):close()) == 3 and select(3, os.execute("exit 4")) == 4)
assert(os.getenv("HOME") and not os.getenv("NO_SUCH_VARIABLE"))
assert(os.time { year = 2000, month = 1, day = 1, hour = 12 } and os.date("!%Y", 0) == "1970")
assert(os.clock() >= 0 and os.difftime(5, 3) == 2.0)
assert(not io.open("/no/such/file") and select(2, io.open("/no/such/file")):find("No such file"))
package.preload.mine = function(n) return { name = n } end
assert(require("mine").name == "mine" and not pcall(require, "no.such.module"))
local i = 1
::top::
if i < 10 then i = i + 1 goto top end
assert(i == 10)
local hooks = 0
debug.sethook(function() hooks = hooks + 1 end, "l")
local x = 1
x = x + 1
debug.sethook()
assert(hooks >= 2)
io.stderr:write("")
io.stdout:setvbuf("no")
print(#arg, _VERSION)
