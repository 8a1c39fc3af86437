/**
 * Purges changed content from HTTP caches. Read {@link io.kipimo.caching.purge.CachePurger} first:
 * how Varnish and nginx are purged, and what happens if they cannot be reached.
 */
package io.kipimo.caching.purge;
