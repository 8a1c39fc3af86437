/**
 * Tails and capacity in event time: first each server, then each level from the sums of the level below. Read
 * {@link io.kipimo.operators.tails.TailsFlow} first.
 */
package io.kipimo.operators.tails;
