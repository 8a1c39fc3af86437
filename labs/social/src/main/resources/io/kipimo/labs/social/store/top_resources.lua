-- The newest resources, as of one moment.
-- KEYS: resources of a member
-- ARGV: how many
-- Answers resource, {owner, comments, type, body}, resource, ...
local said = {}
for _, resource in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, ARGV[1] - 1)) do
  said[#said + 1] = resource
  said[#said + 1] = redis.call('HMGET', 'resource:' .. resource,
    'owner', 'comments', 'type', 'body')
end
return said
