-- lua.kipimo_u: where a query stands between 0 and 1, in millionths (0..999999). It is shed when its
-- class's admitted fraction is not above that. The hash is that of every gateway, so that all shed
-- the same queries: xxHash64 of the trace id, seeded with 0x4B69706900000000 + hour since 1970.

local P1 = 0x9E3779B185EBCA87
local P2 = 0xC2B2AE3D27D4EB4F
local P3 = 0x165667B19E3779F9
local P4 = 0x85EBCA77C2B2AE63
local P5 = 0x27D4EB2F165667C5
local SEED = 0x4B69706900000000

local function rotl(x, r)
  return (x << r) | (x >> (64 - r))
end

local function round(acc, input)
  return rotl(acc + input * P2, 31) * P1
end

local function merge(acc, v)
  return (acc ~ round(0, v)) * P1 + P4
end

local function xxh64(s, seed)
  local n, i, h = #s, 1, seed + P5
  if n >= 32 then
    local a, b, c, d = seed + P1 + P2, seed + P2, seed, seed - P1
    repeat
      a = round(a, (string.unpack("<i8", s, i)))
      b = round(b, (string.unpack("<i8", s, i + 8)))
      c = round(c, (string.unpack("<i8", s, i + 16)))
      d = round(d, (string.unpack("<i8", s, i + 24)))
      i = i + 32
    until i + 31 > n
    h = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18)
    h = merge(merge(merge(merge(h, a), b), c), d)
  end
  h = h + n
  while i + 7 <= n do
    h = rotl(h ~ round(0, (string.unpack("<i8", s, i))), 27) * P1 + P4
    i = i + 8
  end
  if i + 3 <= n then
    h = rotl(h ~ (string.unpack("<I4", s, i) * P1), 23) * P2 + P3
    i = i + 4
  end
  while i <= n do
    h = rotl(h ~ (s:byte(i) * P5), 11) * P1
    i = i + 1
  end
  h = (h ~ (h >> 33)) * P2
  h = (h ~ (h >> 29)) * P3
  return h ~ (h >> 32)
end

-- The trace id of a valid header (W3C Trace Context, level 2, sec. 3.2), as TraceParent.java reads it;
-- nil: none, such as one of zeros or of capital letters, or several headers.
local function trace_id(txn)
  if txn.f:req_fhdr_cnt("traceparent") ~= 1 then
    return nil
  end
  local version, id, parent, rest =
    txn.f:req_fhdr("traceparent"):match("^([%da-f][%da-f])%-([%da-f]+)%-([%da-f]+)%-[%da-f][%da-f](.*)$")
  if not version or version == "ff" or #id ~= 32 or #parent ~= 16 or id:match("^0+$") or parent:match("^0+$") then
    return nil
  end
  -- Later versions may add fields after a dash.
  if rest ~= "" and (version == "00" or rest:sub(1, 1) ~= "-") then
    return nil
  end
  return id
end

-- A query without a trace id is shed at random.
core.register_fetches("kipimo_u", function(txn)
  local id = trace_id(txn)
  if not id then
    return math.random(0, 999999)
  end
  local hash = xxh64(id, SEED + core.now().sec // 3600)
  return math.floor((hash >> 11) * 2.0 ^ -53 * 1000000)
end)
