/** A Redis process. Read {@link io.kipimo.embedded.redis.EmbeddedRedis} first. */
package io.kipimo.embedded.redis;
