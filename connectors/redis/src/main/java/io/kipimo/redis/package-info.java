/**
 * Stores decisions in Redis for actuators that poll, and also stale keys and times to live. The newest decision of each
 * scope is a Redis hash. One server-side script compares epoch and sequence and writes, because writes are repeated
 * after a failover. Requires Redis 6.2 or later.
 *
 * <p>Read {@link io.kipimo.redis.RedisDecisionStore} first.
 */
package io.kipimo.redis;
