/**
 * What an engine's API tells beside its answers: settings of an index that hide results, fields that are searched by
 * vectors, and the engine's own count of queries. Read {@link io.kipimo.gateway.index.IndexStates} first. Nothing here
 * is in the path of a request.
 */
package io.kipimo.gateway.index;
