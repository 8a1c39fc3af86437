/**
 * Estimates the quality of many queries: the mean with a 95 % interval, and the distribution. The reference is Table II
 * of Ubora (sec. 8), whose plain mean has errors of 50 % at low sampling rates. Kipimo counts all time-outs, which is
 * cheap, and samples only their cost, which avoids these errors. Read
 * {@link io.kipimo.core.quality.estimate.WindowEstimate} first.
 */
package io.kipimo.core.quality.estimate;
