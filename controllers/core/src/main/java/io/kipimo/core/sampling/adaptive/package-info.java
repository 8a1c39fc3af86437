/**
 * Controls the sampling rate: the lowest rate at which the estimate of answer quality is as exact as the policy asks.
 * The rate is lower while the service is short of capacity, but it always leaves the controllers enough samples (Ubora,
 * sec. 8 and table II, shows the effect of too low a rate on an admission controller).
 *
 * <p>Read {@link io.kipimo.core.sampling.adaptive.SamplingLoop} first.
 */
package io.kipimo.core.sampling.adaptive;
