-- Stores a decision if it is newer than the stored one: higher epoch, or same epoch and higher sequence.
-- KEYS[1] the hash; ARGV[1] epoch, ARGV[2] sequence, ARGV[3] milliseconds to keep it,
-- then field, value, field, value ... Returns 1 if stored, 0 if not newer.
-- Digits only: tonumber also reads '0x10', '1e3' and 'nan'. Numbers are doubles, exact below 2^53.
local function count(text)
  if type(text) ~= 'string' or not string.match(text, '^%d+$') then return nil end
  local number = tonumber(text)
  if number >= 9007199254740992 then return nil end
  return number
end

local epoch, sequence, keep = count(ARGV[1]), count(ARGV[2]), count(ARGV[3])
if not epoch or not sequence or not keep or keep < 1 then
  return redis.error_reply('KIPIMO epoch, sequence or time to keep is no count below 2^53')
end

local held = redis.call('HMGET', KEYS[1], 'epoch', 'sequence')
local held_epoch, held_sequence = count(held[1]), count(held[2])
if held_epoch and held_sequence
    and (epoch < held_epoch or (epoch == held_epoch and sequence <= held_sequence)) then
  return 0
end

redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 4))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
