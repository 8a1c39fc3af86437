/**
 * How many queries are sampled: the lowest rate at which the estimate of answer quality is as exact
 * as wanted, less when the service has no work to spare, never so little that the controllers are
 * blind (Ubora, sec. 8 and table II: what too low a rate does to an admission controller).
 *
 * <p>Read {@link io.kipimo.core.sampling.adaptive.SamplingLoop} first.
 */
package io.kipimo.core.sampling.adaptive;
