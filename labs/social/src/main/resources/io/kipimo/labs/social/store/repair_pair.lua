-- Restores the initial relation of two members, whatever it is now.
-- KEYS: friends of one, friends of the other, requests of one, requests of the other, one, the other
-- ARGV: one, the other, friends?, has one asked the other?, has the other asked one? (1 or 0)
local function set(key, member, wanted)
  redis.call(wanted == '1' and 'SADD' or 'SREM', key, member)
end
set(KEYS[1], ARGV[2], ARGV[3])
set(KEYS[2], ARGV[1], ARGV[3])
set(KEYS[4], ARGV[1], ARGV[4])
set(KEYS[3], ARGV[2], ARGV[5])
for i = 1, 2 do
  redis.call('HSET', KEYS[4 + i], 'friends', redis.call('SCARD', KEYS[i]),
    'requests', redis.call('SCARD', KEYS[2 + i]))
end
return 1
