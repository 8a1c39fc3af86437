/**
 * Tells HTTP caches what has changed. Read {@link io.kipimo.caching.purge.CachePurger} first: how
 * Varnish and nginx are told, and what follows if they cannot be reached.
 */
package io.kipimo.caching.purge;
