package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * Capacity of the tokens that an arbiter hands out for connections (sPARE, sec. V-A2).
 *
 * @param tokens M * C, number of servers times tokens per server, mean over the window
 * @param holdMicros T_K, mean time from a token's allocation to its return
 * @param connectionsPerSecond M * C * mu_K, where mu_K = 1 / T_K; at a higher rate of connections, copies included,
 *     connections wait without bound
 * @param load tokens returned per second / {@code connectionsPerSecond}; 1: all tokens are always in use
 * @param smallestTokens least number of tokens per server for the window's load
 */
public record TokenUse(
        @Range(most = 1e18) double tokens,
        @Range(most = 1e18) double holdMicros,
        @Range(most = 1e18) double connectionsPerSecond,
        @Range(most = 1e18) double load,
        @Range(least = 1) int smallestTokens) {}
