/**
 * Decisions for those who poll: each actuator's newest decision as a Redis hash, written by
 * compare-and-set on epoch and sequence in one server-side script (reliability: external writes are
 * repeated after a failover). Commands of Redis 6.2 and later.
 *
 * <p>Read {@link io.kipimo.redis.RedisDecisionStore} first.
 */
package io.kipimo.redis;
