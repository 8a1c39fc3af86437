/**
 * The command {@code kipimo demo cache}. It runs an origin with a document store, an HTTP cache, and clients that read
 * and write, with four ways of caching, each under the same operations. Read
 * {@link io.kipimo.labs.demos.caching.CachingDemo} first.
 */
package io.kipimo.labs.demos.caching;
