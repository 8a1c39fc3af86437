/**
 * {@code kipimo purge} and {@code kipimo filter}: they keep shared caches and clients from serving
 * stale entries.
 */
package io.kipimo.cli.caching;
