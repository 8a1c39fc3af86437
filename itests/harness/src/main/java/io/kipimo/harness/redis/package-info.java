/** A Redis process. Read {@link io.kipimo.harness.redis.EmbeddedRedis} first. */
package io.kipimo.harness.redis;
