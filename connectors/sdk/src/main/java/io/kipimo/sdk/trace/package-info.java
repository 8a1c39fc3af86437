/**
 * Query ids from tracing: W3C trace ids (W3C Trace Context, level 2), whose randomness decides who
 * is sampled.
 *
 * <p>Read {@link io.kipimo.sdk.trace.TraceParent} first.
 */
package io.kipimo.sdk.trace;
