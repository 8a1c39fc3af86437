-- Tells since when the keys of a table are whole. A store that comes back empty, or with older content, has lost
-- reads and changes; then they are whole from now on.
-- KEYS[1] a hash: since, and beat, the latest time at which this was asked
-- ARGV: now, the latest beat that the caller knows of, 1 to say that nothing was handed out before
local now, known = tonumber(ARGV[1]), tonumber(ARGV[2])
local since = tonumber(redis.call('HGET', KEYS[1], 'since') or '')
local beat = tonumber(redis.call('HGET', KEYS[1], 'beat') or '')
if ARGV[3] == '1' then
  since = 0
  redis.call('HSET', KEYS[1], 'since', '0')
elseif not since or not beat or beat < known then
  since = now
  redis.call('HSET', KEYS[1], 'since', ARGV[1])
end
if not beat or beat < now then
  redis.call('HSET', KEYS[1], 'beat', ARGV[1])
end
return since
