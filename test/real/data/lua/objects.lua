-- Metatables, inheritance, collection, weak tables, finalisers.
local V = {}
V.__index = V
V.__add = function(a, b) return setmetatable({ x = a.x + b.x }, V) end
V.__eq = function(a, b) return a.x == b.x end
V.__lt = function(a, b) return a.x < b.x end
V.__le = function(a, b) return a.x <= b.x end
V.__call = function(self, n) return self.x * n end
V.__concat = function(a, b) return "cat" end
V.__len = function() return 99 end
V.__tostring = function(v) return "V" .. v.x end
V.__close = function() end
local a, b = setmetatable({ x = 1 }, V), setmetatable({ x = 2 }, V)
assert((a + b).x == 3 and a < b and a <= b and a ~= b and a(10) == 10)
assert(a .. b == "cat" and #a == 99 and tostring(b) == "V2")
local log = {}
local proxy = setmetatable({}, { __newindex = function(t, k, v) log[#log + 1] = k; rawset(t, k, v) end,
  __index = function(_, k) return k .. "?" end })
proxy.one = 1; proxy.one = 2
assert(#log == 1 and proxy.two == "two?")
local weak, finalised = setmetatable({}, { __mode = "k" }), 0
for i = 1, 1000 do
  weak[setmetatable({}, { __gc = function() finalised = finalised + 1 end })] = i
end
collectgarbage() collectgarbage()
assert(next(weak) == nil and finalised == 1000)
for _, mode in ipairs { "generational", "incremental" } do
  collectgarbage(mode)
  local list
  for i = 1, 200000 do list = { next = (i % 100 ~= 0) and list or nil, i } end
  assert(collectgarbage("count") > 0)
end
collectgarbage("incremental")
collectgarbage()
