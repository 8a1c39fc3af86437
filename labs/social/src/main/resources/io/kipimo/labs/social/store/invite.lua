-- Sends a friend request.
-- KEYS: the invitee's requests, the invitee, the inviter's friends, the inviter's requests
-- ARGV: inviter, invitee
-- Returns 1, or 0 when they are friends or one has asked already.
if redis.call('SISMEMBER', KEYS[3], ARGV[2]) == 1
    or redis.call('SISMEMBER', KEYS[4], ARGV[2]) == 1
    or redis.call('SADD', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[2], 'requests', 1)
return 1
