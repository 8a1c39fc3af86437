/** Options with the address of Redis, for commands. Read {@link io.kipimo.cli.redis.RedisAddressOptions}. */
package io.kipimo.cli.redis;
