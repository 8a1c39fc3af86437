-- Ends a friendship.
-- KEYS: friends of one, friends of the other, one, the other
-- ARGV: one, the other
-- Returns 1, or 0 when they are no friends.
if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[3], 'friends', -redis.call('SREM', KEYS[1], ARGV[2]))
redis.call('HINCRBY', KEYS[4], 'friends', -redis.call('SREM', KEYS[2], ARGV[1]))
return 1
