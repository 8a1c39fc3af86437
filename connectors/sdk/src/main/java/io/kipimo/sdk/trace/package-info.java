/**
 * Query ids from tracing: W3C trace ids (W3C Trace Context, level 2). Their random bits decide which queries are
 * sampled.
 *
 * <p>Read {@link io.kipimo.sdk.trace.TraceParent} first.
 */
package io.kipimo.sdk.trace;
