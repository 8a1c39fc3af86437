-- Accepts a friend request.
-- KEYS: the invitee's requests, the invitee, the inviter, the invitee's friends, the inviter's
-- ARGV: inviter, invitee
-- Returns 1, or 0 when there is no such request.
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[2], 'requests', -1)
redis.call('HINCRBY', KEYS[2], 'friends', redis.call('SADD', KEYS[4], ARGV[1]))
redis.call('HINCRBY', KEYS[3], 'friends', redis.call('SADD', KEYS[5], ARGV[2]))
return 1
