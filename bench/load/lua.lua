-- Calls, tables, strings, closures and floating point: what interpreters do.
local scale = tonumber(arg[1]) or 1

local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end

local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for k = i * i, n, i do composite[k] = true end
		end
	end
	return count
end

local function words(n)
	local seen, seed = {}, 42
	for _ = 1, n do
		seed = (seed * 1103515245 + 12345) % 2147483648
		local word = string.format("%x", seed // 4096):sub(1, 4):upper()
		seen[word] = (seen[word] or 0) + 1
	end
	local list = {}
	for word, count in pairs(seen) do list[#list + 1] = word .. ":" .. count end
	table.sort(list)
	return #table.concat(list, ",")
end

local function orbits(steps)
	local x, y, vx, vy = 1.0, 0.0, 0.0, 1.0
	for _ = 1, steps do
		local r3 = (x * x + y * y) ^ 1.5
		vx, vy = vx - 0.001 * x / r3, vy - 0.001 * y / r3
		x, y = x + 0.001 * vx, y + 0.001 * vy
	end
	return string.format("%.6f", x)
end

local function counters(n)
	local function new()
		local count = 0
		return { add = function(self, k) count = count + k; self.last = k; return count end }
	end
	local sum = 0
	for _ = 1, n do
		local c = new()
		for k = 1, 5 do sum = sum + c:add(k) end
	end
	return sum
end

print(fib(24 + (scale > 1 and 6 or 0)), sieve(60000 * scale), words(8000 * scale),
	orbits(100000 * scale), counters(10000 * scale))
