-- Array and hash parts, sorting, moving, iteration while clearing.
local t = {}
for i = 1, 20000 do t[i] = (i * 7919) % 20011 end
table.sort(t)
for i = 2, #t do assert(t[i - 1] <= t[i]) end
table.sort(t, function(x, y) return x > y end)
for i = 2, #t do assert(t[i - 1] >= t[i]) end
assert(not pcall(table.sort, { 3, 1, 2, 5, 4 }, function() error("stop") end))
local h = {}
for i = 1, 5000 do h["k" .. i] = i; h[i + 0.5] = i end
local n = 0
for k in pairs(h) do h[k] = nil; n = n + 1 end
assert(n == 10000 and next(h) == nil)
local q = { 1, 2, 3 }
table.insert(q, 2, 9)
assert(table.concat(q, " ") == "1 9 2 3" and table.remove(q, 1) == 1 and #q == 3)
assert(table.concat(table.move({ 1, 2, 3 }, 1, 3, 3), ",") == "1,2,1,2,3")
assert(select("#", table.unpack({}, 1, 250)) == 250)
assert(table.pack(nil, nil).n == 2)
local sieve, primes = {}, 0
for i = 2, 10000 do
  if not sieve[i] then
    primes = primes + 1
    for j = i * i, 10000, i do sieve[j] = true end
  end
end
assert(primes == 1229)
