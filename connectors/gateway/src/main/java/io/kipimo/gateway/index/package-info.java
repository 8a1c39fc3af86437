/**
 * Reads an engine's API beside its queries: settings of an index that hide results, fields that are searched by
 * vectors, and the engine's own count of queries. Read {@link io.kipimo.gateway.index.IndexStates} first. No request
 * waits for these reads.
 */
package io.kipimo.gateway.index;
