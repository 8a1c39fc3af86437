/**
 * What stands between HTTP caches and the rest: {@link io.kipimo.caching.filter} serves the filter
 * of stale keys to clients, {@link io.kipimo.caching.purge} tells caches what is stale.
 */
package io.kipimo.caching;
