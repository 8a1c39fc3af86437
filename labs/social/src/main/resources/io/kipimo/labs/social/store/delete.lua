-- Deletes a comment.
-- KEYS: the resource's comments, the resource
-- ARGV: comment
-- Returns 1, or 0 when there is no such comment.
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[2], 'comments', -1)
return 1
