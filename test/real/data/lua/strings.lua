-- Patterns, formats and packing.
local words = {}
for w in ("the quick brown fox"):gmatch("%a+") do words[#words + 1] = w end
assert(table.concat(words, ",") == "the,quick,brown,fox")
assert(("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key")
assert(("hello"):gsub("l", { l = "L" }) == "heLLo")
assert(("abc"):gsub("%w", "%0%0") == "aabbcc")
assert(("x[[y]]"):find("[[", 1, true) == 2)
assert(("THE (quick) fox"):find("%((%a+)%)") == 5)
assert(string.format("%5.2f|%-5d|%x|%q", 3.14159, 42, 255, 'a"b\n') == ' 3.14|42   |ff|"a\\"b\\\n"')
assert(string.format("%a", 1.0):match("^0x1"))
assert(("%d"):format(2 ^ 53) == "9007199254740992")
local packed = string.pack("<i4 >I2 z s1 d", -7, 513, "zero", "one", 0.5)
local a, b, c, d, e = string.unpack("<i4 >I2 z s1 d", packed)
assert(a == -7 and b == 513 and c == "zero" and d == "one" and e == 0.5)
assert(utf8.char(228, 8364, 128512) == "ä€😀" and utf8.len("ä€😀") == 3)
for p, cp in utf8.codes("aé") do assert(p == 1 and cp == 97 or p == 2 and cp == 233) end
assert(("x"):rep(1000, ","):len() == 1999)
assert(tostring(1e15) == "1e+15" and tostring(10 // 3) == "3" and tostring(-0.0) == "-0.0")
assert(tonumber("0x1p4") == 16 and tonumber("zz", 36) == 1295 and not tonumber("1e"))
assert(#string.dump(function() return words end) > 20)
assert(("balanced (a(b)c) x"):match("%b()") == "(a(b)c)")
assert(("THE (quick) fox"):gsub("%f[%a]%a+", string.lower) == "the (quick) fox")
