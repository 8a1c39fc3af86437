/**
 * Decides which queries are measured, without coordination: the decision depends on the query id alone, so all
 * components agree. (Ubora, sec. 5, spread this information by UDP.) The rule is OpenTelemetry's consistent probability
 * sampling. Read {@link io.kipimo.core.sampling.ConsistentSampling} first; {@link io.kipimo.core.sampling.XxHash64} is
 * the hash, also of admission and of filters of stale keys.
 *
 * <p>{@link io.kipimo.core.sampling.SamplingLoop} controls the rate: the lowest one at which the estimate of answer
 * quality is as exact as the policy asks, lower while the service is short of capacity, but never too low for the
 * controllers (sec. 8 and table II show the effect of too low a rate). {@link io.kipimo.core.sampling.ReplaySchedule}
 * schedules replays of sampled queries so that others are not slowed down (sec. 6.4).
 */
package io.kipimo.core.sampling;
