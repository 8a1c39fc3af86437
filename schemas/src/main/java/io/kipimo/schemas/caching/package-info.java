/**
 * Cached records and query results (Gessert et al., "Quaestor", VLDB 2017): reads and their times to live, writes, and
 * the results that become stale. Services emit {@link io.kipimo.schemas.caching.CacheRead},
 * {@link io.kipimo.schemas.caching.RecordWrite} and {@link io.kipimo.schemas.caching.Subscription}; read these first.
 * They receive {@link io.kipimo.schemas.caching.TtlEstimate} and {@link io.kipimo.schemas.caching.Invalidation}.
 */
package io.kipimo.schemas.caching;
