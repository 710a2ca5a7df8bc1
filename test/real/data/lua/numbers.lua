-- Integers, floats, bits, and a little numerical work.
assert(math.maxinteger + 1 == math.mininteger and 7 // -2 == -4 and 7 % -3 == -2 and -7 % 3 == 2)
assert(7.5 // 2 == 3.0 and 2 ^ 10 == 1024.0 and 1 / 0 == math.huge and -1 / 0 == -math.huge)
assert(0 / 0 ~= 0 / 0 and math.type(1) == "integer" and math.type(1.0) == "float")
assert(0xF0 & 0x3C == 0x30 and 1 << 63 == math.mininteger and 1 << 64 == 0 and ~0 == -1 and 5 ~ 3 == 6)
assert(math.tointeger("8") == nil or math.tointeger("8") == 8)
assert(1 == 1.0 and ({ [1] = "x" })[1.0] == "x" and math.ult(1, -1))
assert(not pcall(function() return 1 // 0 end) and not pcall(function() return 1.5 | 1 end))
for i = 3, 1 do error("unreachable") end
local steps = 0
for _ = math.maxinteger - 2, math.maxinteger do steps = steps + 1 end
assert(steps == 3)
math.randomseed(42)
local r = math.random(1000)
math.randomseed(42)
assert(r == math.random(1000))
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
assert(fib(24) == 46368)
local sum = 0.0
for i = 1, 100000 do sum = sum + 1 / (i * i) end
assert(math.abs(sum - math.pi ^ 2 / 6) < 1e-4)
local n, m = 20, {}
for i = 1, n do m[i] = {} for j = 1, n do m[i][j] = 1 / (i + j - 1) + (i == j and 1 or 0) end end
local det = 1
for k = 1, n do
  det = det * m[k][k]
  for i = k + 1, n do
    local f = m[i][k] / m[k][k]
    for j = k, n do m[i][j] = m[i][j] - f * m[k][j] end
  end
end
assert(det > 1 and det < 100)
