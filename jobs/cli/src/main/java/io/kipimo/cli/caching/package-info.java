/**
 * Commands for caches: {@code kipimo purge} and {@code kipimo filter} keep shared caches and clients from serving stale
 * entries, {@code kipimo cache-truth} checks whether entries are stale, and {@code kipimo changes} reports changes to
 * web pages.
 */
package io.kipimo.cli.caching;
