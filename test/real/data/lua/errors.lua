-- Errors, handlers, deep recursion, and what the parser refuses.
local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end
assert(deep(10000) == 10000)
local ok, e = pcall(function() local function f() return 1 + f() end return f() end)
assert(not ok and e:find("stack overflow"))
assert(select(2, xpcall(function() error("a") end, function(m) return m .. "!" end)):find("a!$"))
assert(not pcall(error)) 
for _, bad in ipairs { "x = = 1", "for", "goto nowhere", "'open", "return 1 1", "local a <const> = 1; a = 2",
  "x = 08e", "break", "[[long" } do
  local f, m = load(bad)
  assert(f == nil and type(m) == "string")
end
local env = {}
assert(load("y = 5; return y", "chunk", "t", env)() == 5 and env.y == 5 and y == nil)
local pieces, i = { "return ", "4", "2" }, 0
assert(load(function() i = i + 1 return pieces[i] end)() == 42)
assert(not pcall(load, nil) and not load("\27Lua garbage", "b", "b"))
local _, m = pcall(function() local t = nil; return t.field end)
assert(m:find("attempt to index a nil value"))
assert(select(2, pcall(string.rep, "x", 1 << 60)):find("too large"))
for depth = 1, 150 do
  assert(load("return " .. ("("):rep(depth) .. "1" .. (")"):rep(depth))() == 1)
end
assert(not load("return " .. ("("):rep(500) .. "1" .. (")"):rep(500)))
