/**
 * Tracks cached results that may be stale: the Expiring Bloom Filter (Gessert et al., "Quaestor: Query Web Caching for
 * Database-as-a-Service Providers", VLDB 2017, sec. 3). The server keeps {@link io.kipimo.core.stale.ExpiringFilter},
 * clients get its {@link io.kipimo.core.stale.FlatFilter}, and {@link io.kipimo.core.stale.FreshnessSession} decides
 * for each read whether a client may use a cache. Read {@link io.kipimo.core.stale.StaleKeys} first: it is the contract
 * of both implementations, in memory and in Redis.
 */
package io.kipimo.core.stale;
