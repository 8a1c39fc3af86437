/**
 * Computes latency tails and capacity in windows of event time: first for each server, then for each level above from
 * the sums of the level below. Read {@link io.kipimo.operators.tails.TailsFlow} first.
 */
package io.kipimo.operators.tails;
