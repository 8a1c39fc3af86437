/**
 * Measures benefit and cost of recording and replay on a service of two components (Ubora, fig. 6). Read
 * {@link io.kipimo.bench.replay.ReplayBenchmark} first.
 */
package io.kipimo.bench.replay;
