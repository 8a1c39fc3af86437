/**
 * Decisions for actuators that poll: the newest decision of each scope as a Redis hash, written by compare-and-set on
 * epoch and sequence in one server-side script, because writes are repeated after a failover. Also stale keys and times
 * to live. Requires Redis 6.2 or later.
 *
 * <p>Read {@link io.kipimo.redis.RedisDecisionStore} first.
 */
package io.kipimo.redis;
