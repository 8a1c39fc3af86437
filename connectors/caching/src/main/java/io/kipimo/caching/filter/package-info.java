/**
 * The filter of stale keys over HTTP, the union of all tables. Read {@link io.kipimo.caching.filter.FilterPublisher}
 * first.
 */
package io.kipimo.caching.filter;
