-- Restores the initial state of a comment.
-- KEYS: the resource's comments, the resource
-- ARGV: comment, text; no text: there was none
if ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end
redis.call('HSET', KEYS[2], 'comments', redis.call('HLEN', KEYS[1]))
return 1
