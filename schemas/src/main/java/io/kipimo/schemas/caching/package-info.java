/**
 * Cached records and query results (Gessert et al., "Quaestor", VLDB 2017): what was handed out for
 * how long, what was written, what became stale by it. Read {@link
 * io.kipimo.schemas.caching.CacheRead}, {@link io.kipimo.schemas.caching.RecordWrite} and {@link
 * io.kipimo.schemas.caching.Subscription} first, which services tell; then {@link
 * io.kipimo.schemas.caching.TtlEstimate} and {@link io.kipimo.schemas.caching.Invalidation}, which
 * they are told.
 */
package io.kipimo.schemas.caching;
