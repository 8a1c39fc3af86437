/** Where Redis is, for commands. Read {@link io.kipimo.cli.redis.RedisAddressOptions}. */
package io.kipimo.cli.redis;
