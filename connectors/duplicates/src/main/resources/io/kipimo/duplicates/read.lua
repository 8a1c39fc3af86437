-- Reads a key. KEYS[1] position: the log's id and the last ticket applied; KEYS[2] the key's hash.
-- Returns the last ticket applied, and the key's value and ticket.
local version = redis.call('HMGET', KEYS[2], 'value', 'ticket')
return {redis.call('HGET', KEYS[1], 'ticket') or '-1', version[1], version[2]}
