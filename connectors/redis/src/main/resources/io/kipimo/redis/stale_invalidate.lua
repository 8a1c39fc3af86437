-- Invalidates keys: those that caches may hold become stale until they expire.
-- KEYS: until when a key may be cached (sorted set), until when it is stale (sorted set),
--       counters (8 bits a position), flat filter, then bitmaps of the keys invalidated lately
-- ARGV: now, bits, hashes, for each such bitmap how many milliseconds to keep it, then keys'
--       hashes of 8 bytes
-- Returns for each key: 0 in no cache, 1 stale, 2 was stale already.
local now, bits, hashes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local first = 4 + #KEYS - 4
local said = {}
local any = false
for a = first, #ARGV do
  local key = ARGV[a]
  local cached = tonumber(redis.call('ZSCORE', KEYS[1], key) or 0)
  local answer = 0
  if cached > now then
    any = true
    local high, low = struct.unpack('>I4I4', key)
    local step = high % 2 == 0 and high + 1 or high
    for i = 0, hashes - 1 do
      local position = string.format('%d', (low + i * step) % 4294967296 % bits)
      for k = 5, #KEYS do
        redis.call('SETBIT', KEYS[k], position, 1)
      end
    end
    local stale = tonumber(redis.call('ZSCORE', KEYS[2], key) or 0)
    if stale >= cached then
      answer = 2
    else
      answer = 1
      redis.call('ZADD', KEYS[2], cached, key)
      if stale == 0 then
        for i = 0, hashes - 1 do
          local position = (low + i * step) % 4294967296 % bits
          local count = redis.call('BITFIELD', KEYS[3], 'OVERFLOW', 'SAT',
            'INCRBY', 'u8', '#' .. string.format('%d', position), 1)
          if count[1] == 1 then
            redis.call('SETBIT', KEYS[4], string.format('%d', position), 1)
          end
        end
      end
    end
  end
  said[#said + 1] = answer
end
if any then
  for k = 5, #KEYS do
    redis.call('PEXPIRE', KEYS[k], ARGV[k - 1])
  end
end
return said
