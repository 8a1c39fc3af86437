/**
 * Purges changed content from HTTP caches. Read {@link io.kipimo.caching.purge.CachePurger} first; it covers Varnish,
 * nginx and caches that do not answer.
 */
package io.kipimo.caching.purge;
