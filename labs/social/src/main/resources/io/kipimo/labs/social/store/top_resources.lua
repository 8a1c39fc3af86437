-- Lists the newest resources, atomically.
-- KEYS: resources of a member
-- ARGV: how many
-- Returns resource, {owner, comments, type, body}, resource, ...
local said = {}
for _, resource in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, ARGV[1] - 1)) do
  said[#said + 1] = resource
  said[#said + 1] = redis.call('HMGET', 'resource:' .. resource,
    'owner', 'comments', 'type', 'body')
end
return said
