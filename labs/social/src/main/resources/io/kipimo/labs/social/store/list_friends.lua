-- Lists friends with their names, atomically.
-- KEYS: friends of a member
-- Returns friend, name, friend, name ...
local said = {}
for _, friend in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  said[#said + 1] = friend
  said[#said + 1] = redis.call('HGET', 'member:' .. friend, 'name') or ''
end
return said
