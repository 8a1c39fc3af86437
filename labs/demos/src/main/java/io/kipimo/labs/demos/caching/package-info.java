/**
 * {@code kipimo demo cache}: an origin with a document store, an HTTP cache, clients that read and write, and four ways
 * of caching, each under the same operations. Read {@link io.kipimo.labs.demos.caching.CachingDemo} first.
 */
package io.kipimo.labs.demos.caching;
