/**
 * Ratings on Flink: conducts load generators, and tells when a rating no longer holds. Read {@link
 * io.kipimo.operators.rating.RatingFunction} first.
 */
package io.kipimo.operators.rating;
