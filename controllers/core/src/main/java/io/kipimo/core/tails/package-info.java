/**
 * Latencies of answers, in particular the slowest: mergeable latency sketches and the figures of a window (sPARE, sec.
 * V; Zoolander, sec. 4.3). A level is the merge of the levels below it, server, component, tier, service: percentiles
 * are never averaged.
 *
 * <p>Read {@link io.kipimo.core.tails.TailStatistics} first, for the figures of a window; then
 * {@link io.kipimo.core.tails.ScopeWindows}, for how windows come about.
 */
package io.kipimo.core.tails;
