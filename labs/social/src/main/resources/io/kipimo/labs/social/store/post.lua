-- Posts a comment on a resource.
-- KEYS: the resource's comments, the resource
-- ARGV: comment, text
-- Returns 1, or 0 when there is such a comment.
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[2], 'comments', 1)
return 1
