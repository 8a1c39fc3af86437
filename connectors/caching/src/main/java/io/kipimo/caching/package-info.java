/**
 * Adapters for HTTP caches: {@link io.kipimo.caching.filter} serves the filter of stale keys to clients,
 * {@link io.kipimo.caching.purge} purges stale content from caches, {@link io.kipimo.caching.changes} sends changes to
 * browsers, {@link io.kipimo.caching.truth} checks caches for stale content.
 */
package io.kipimo.caching;
