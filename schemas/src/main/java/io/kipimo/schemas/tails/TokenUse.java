package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * Capacity of tokens (sPARE, sec. V-A2).
 *
 * @param tokens M * C, mean over the window
 * @param holdMicros T_K, mean time from a token's allocation to its return
 * @param connectionsPerSecond M * C * mu_K; at a higher rate of connections, copies included, they wait without bound
 * @param load tokens returned per second over that rate; 1: all tokens are always in use
 * @param smallestTokens least number of tokens per server for the window's load
 */
public record TokenUse(
        @Range(most = 1e18) double tokens,
        @Range(most = 1e18) double holdMicros,
        @Range(most = 1e18) double connectionsPerSecond,
        @Range(most = 1e18) double load,
        @Range(least = 1) int smallestTokens) {}
