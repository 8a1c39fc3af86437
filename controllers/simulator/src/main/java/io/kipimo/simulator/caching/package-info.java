/**
 * Clients, their caches, a cache that they share and an origin in virtual time (after the Monte
 * Carlo simulation of Quaestor, sec. 6.2): the product's own filter, sessions and times to live
 * decide, and every read is held against what was written. Read {@link
 * io.kipimo.simulator.caching.CachingModel} first.
 */
package io.kipimo.simulator.caching;
