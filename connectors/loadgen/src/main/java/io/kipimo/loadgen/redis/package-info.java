/** Commands to a Redis. Read {@link io.kipimo.loadgen.redis.RedisCommandTarget} first. */
package io.kipimo.loadgen.redis;
