/**
 * When sampled queries are run once more, so that it costs the others nothing (Ubora, sec. 6.4).
 * Read {@link io.kipimo.core.replay.ReplaySchedule} first.
 */
package io.kipimo.core.replay;
