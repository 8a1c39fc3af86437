#!/usr/bin/env bash
# Whether the broker (host:port is the second argument) accepts connections.
exec 3<>"/dev/tcp/${2%:*}/${2#*:}"
