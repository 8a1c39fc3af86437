/**
 * Ratings on Flink: coordinates load generators and detects ratings that no longer hold. Read
 * {@link io.kipimo.operators.rating.RatingFunction} first.
 */
package io.kipimo.operators.rating;
