-- Removes expired keys; returns the flat filter and the numbers of stale and of
-- tracked keys.
-- KEYS: as for stale_invalidate.lua
-- ARGV: now, bits, hashes, most keys to take out
local now, bits, hashes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[4])
for _, key in ipairs(over) do
  local high, low = struct.unpack('>I4I4', key)
  local step = high % 2 == 0 and high + 1 or high
  for i = 0, hashes - 1 do
    local position = string.format('%d', (low + i * step) % 4294967296 % bits)
    -- A saturated counter stays saturated.
    if redis.call('BITFIELD', KEYS[3], 'GET', 'u8', '#' .. position)[1] < 255 then
      local count = redis.call('BITFIELD', KEYS[3], 'INCRBY', 'u8', '#' .. position, -1)
      if count[1] == 0 then
        redis.call('SETBIT', KEYS[4], position, 0)
      end
    end
  end
  redis.call('ZREM', KEYS[2], key)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return {#over, redis.call('GET', KEYS[4]) or '', redis.call('ZCARD', KEYS[2]),
  redis.call('ZCARD', KEYS[1])}
