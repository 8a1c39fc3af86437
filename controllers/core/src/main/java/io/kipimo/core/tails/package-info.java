/**
 * Latencies of answers, in particular the slowest: mergeable latency sketches and the figures of a window (sPARE, sec.
 * V; Zoolander, sec. 4.3). The levels are server, component, tier and service. The sketch of a level is the merge of
 * those below it, so percentiles are never averaged. {@link io.kipimo.core.tails.BaselineEstimator} tells how many
 * requests a tier can process, from the demands (sPARE, sec. V-A; Pérez, Casale and Pacheco-Sanchez, IEEE TSE 41,
 * 2015).
 *
 * <p>Read {@link io.kipimo.core.tails.TailStatistics} first, for the figures of a window; then
 * {@link io.kipimo.core.tails.ScopeWindows}, for how windows come about.
 */
package io.kipimo.core.tails;
