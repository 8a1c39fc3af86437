/**
 * Squeezing: the rating of one server by a growing share of real traffic, where no load is
 * generated. Read {@link io.kipimo.core.rating.squeeze.Squeeze} first.
 */
package io.kipimo.core.rating.squeeze;
