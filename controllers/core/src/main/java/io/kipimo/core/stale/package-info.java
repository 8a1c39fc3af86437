/**
 * Which cached results may be stale: the Expiring Bloom Filter (Gessert et al., "Quaestor: Query
 * Web Caching for Database-as-a-Service Providers", VLDB 2017, sec. 3). The server keeps {@link
 * io.kipimo.core.stale.ExpiringFilter}, clients get its {@link io.kipimo.core.stale.FlatFilter},
 * and {@link io.kipimo.core.stale.FreshnessSession} decides by it, read by read, what a client may
 * take from a cache. Read {@link io.kipimo.core.stale.StaleKeys} first: what both homes of the
 * filter, in memory and in Redis, promise.
 */
package io.kipimo.core.stale;
