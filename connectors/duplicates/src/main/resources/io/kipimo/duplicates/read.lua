-- What a key holds, and as of which ticket. KEYS[1] what has been applied, KEYS[2] the key's hash.
local version = redis.call('HMGET', KEYS[2], 'value', 'ticket')
return {redis.call('HGET', KEYS[1], 'ticket') or '-1', version[1], version[2]}
