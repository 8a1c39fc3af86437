/**
 * Tails and capacity in event time: each server by itself, then level by level what the one below
 * has summed up. Read {@link io.kipimo.operators.tails.TailsFlow} first.
 */
package io.kipimo.operators.tails;
