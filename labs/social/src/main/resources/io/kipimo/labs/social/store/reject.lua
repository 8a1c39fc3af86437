-- Declines a friend request.
-- KEYS: the invitee's requests, the invitee
-- ARGV: inviter
-- Returns 1, or 0 when there is no such request.
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[2], 'requests', -1)
return 1
