/**
 * Schedules replays of sampled queries so that other queries are not slowed down (Ubora, sec. 6.4). Read
 * {@link io.kipimo.core.replay.ReplaySchedule} first.
 */
package io.kipimo.core.replay;
