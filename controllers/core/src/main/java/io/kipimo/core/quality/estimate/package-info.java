/**
 * Makes figures of many measured queries: the mean quality with a 95 % interval and the
 * distribution. The yardstick is Table II of Ubora (sec. 8), whose plain mean is off by half at low
 * sampling rates; counting all time-outs, which is cheap, and sampling only what they cost is not.
 * Read {@link io.kipimo.core.quality.estimate.StratifiedEstimator} first.
 */
package io.kipimo.core.quality.estimate;
