/**
 * Changes of records and query results for browsers, as Server-Sent Events. Read
 * {@link io.kipimo.caching.changes.ChangeServer} first.
 */
package io.kipimo.caching.changes;
