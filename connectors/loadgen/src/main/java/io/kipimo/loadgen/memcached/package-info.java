/** Requests to a memcached. Read {@link io.kipimo.loadgen.memcached.MemcachedTarget} first. */
package io.kipimo.loadgen.memcached;
