/**
 * Reading through HTTP caches with bounded staleness (Gessert et al., "Quaestor", VLDB 2017, sec. 3): a client, and the
 * counters of its reads. Read {@link io.kipimo.sdk.caching.CachingClient} first.
 */
package io.kipimo.sdk.caching;
