/**
 * Squeezing: rating one server with a growing share of real traffic instead of generated load. Read
 * {@link io.kipimo.core.rating.squeeze.Squeeze} first.
 */
package io.kipimo.core.rating.squeeze;
