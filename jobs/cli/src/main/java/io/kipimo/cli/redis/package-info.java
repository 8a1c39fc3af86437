/** Where Redis is, for commands. Read {@link io.kipimo.cli.redis.RedisOptions}. */
package io.kipimo.cli.redis;
