-- Applies writes with consecutive tickets, all or none.
-- KEYS[1] position: the log's id and the last ticket applied; KEYS[2..] a hash for each key.
-- ARGV[1] id of the log, ARGV[2] ticket of the first write, then kind and value of each write.
-- Returns for each write whether it was applied, and the value and ticket before it.
-- Tickets are doubles here, exact below 2^53.
local log, last = unpack(redis.call('HMGET', KEYS[1], 'log', 'ticket'))
if log and log ~= ARGV[1] then
  return redis.error_reply('OTHERLOG ' .. log)
end
local ticket = tonumber(ARGV[2])
if ticket ~= tonumber(last or '-1') + 1 then
  return redis.error_reply('GAP ' .. (last or '-1'))
end

local results = {}
for i = 2, #KEYS do
  local kind, value = ARGV[2 * i - 1], ARGV[2 * i]
  local before = redis.call('HMGET', KEYS[i], 'value', 'ticket')
  local applied = kind == 'put' or (kind == 'create' and not before[1]) or (kind == 'delete' and before[1])
  if applied and kind == 'delete' then
    redis.call('DEL', KEYS[i])
  elseif applied then
    redis.call('HSET', KEYS[i], 'value', value, 'ticket', string.format('%.0f', ticket))
  end
  results[#results + 1] = {applied and 1 or 0, before[1], before[2]}
  ticket = ticket + 1
end
redis.call('HSET', KEYS[1], 'log', ARGV[1], 'ticket', string.format('%.0f', ticket - 1))
return results
