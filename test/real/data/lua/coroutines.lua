-- Coroutines (longjmp across C frames), errors through them, closing.
local function permutations(a, n)
  n = n or #a
  if n <= 1 then coroutine.yield(a) return end
  for i = 1, n do
    a[n], a[i] = a[i], a[n]
    permutations(a, n - 1)
    a[n], a[i] = a[i], a[n]
  end
end
local count = 0
for _ in coroutine.wrap(function() permutations { 1, 2, 3, 4, 5, 6 } end) do count = count + 1 end
assert(count == 720)
local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) error { b } end)
assert(select(2, coroutine.resume(co, 1)) == 2)
local ok, err = coroutine.resume(co, "x")
assert(not ok and err[1] == "x" and coroutine.status(co) == "dead")
assert(debug.traceback(co):find("stack traceback"))
local yielded = coroutine.wrap(function()
  return pcall(function() coroutine.yield("inside"); error("late", 0) end)
end)
assert(yielded() == "inside")
local good, why = yielded()
assert(good == false and why == "late")
local order = {}
do
  local a <close> = setmetatable({}, { __close = function() order[#order + 1] = "a" end })
  local b <close> = setmetatable({}, { __close = function() order[#order + 1] = "b" end })
end
assert(table.concat(order) == "ba")
local ring, hops = {}, 0
for i = 1, 50 do
  ring[i] = coroutine.wrap(function() while true do hops = hops + 1; coroutine.yield() end end)
end
for _ = 1, 100 do for i = 1, 50 do ring[i]() end end
assert(hops == 5000)
local sorted = coroutine.wrap(function()
  local t = { 3, 1, 2 }
  local ok2, e = pcall(table.sort, t, function(x, y) coroutine.yield() return x < y end)
  return ok2, e
end)
local s, m = sorted()
assert(s == false and m:find("yield across"))
