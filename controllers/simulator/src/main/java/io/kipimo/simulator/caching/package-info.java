/**
 * Clients, their caches, a shared cache and an origin in virtual time (after the Monte Carlo simulation of Quaestor,
 * sec. 6.2). They use the product's own filter, sessions and times to live, and every read is compared with the writes.
 * Read {@link io.kipimo.simulator.caching.CachingModel} first.
 */
package io.kipimo.simulator.caching;
