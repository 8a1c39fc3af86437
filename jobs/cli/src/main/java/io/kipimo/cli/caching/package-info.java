/**
 * {@code kipimo purge} and {@code kipimo filter} keep shared caches and clients from serving stale entries;
 * {@code kipimo cache-truth} checks that they do; {@code kipimo changes} tells pages.
 */
package io.kipimo.cli.caching;
