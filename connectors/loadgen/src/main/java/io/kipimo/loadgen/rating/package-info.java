/**
 * Runs ratings with load generators in this process, without Kafka. Read {@link io.kipimo.loadgen.rating.LocalRating}
 * first.
 */
package io.kipimo.loadgen.rating;
