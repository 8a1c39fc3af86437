/**
 * For who reads through caches, and for the origin behind them (Gessert et al., "Quaestor", VLDB
 * 2017, sec. 3): a client that takes from caches what is not stale for longer than it allows, and
 * what clients and origins count. Read {@link io.kipimo.sdk.caching.CachingClient} first.
 */
package io.kipimo.sdk.caching;
