/**
 * Adapters for HTTP caches: {@link io.kipimo.caching.filter} serves the filter of stale keys to clients,
 * {@link io.kipimo.caching.purge} purges stale content from caches.
 */
package io.kipimo.caching;
