/**
 * Ratings with load generators in this process, without a log. Read {@link io.kipimo.loadgen.rating.LocalRating} first.
 */
package io.kipimo.loadgen.rating;
