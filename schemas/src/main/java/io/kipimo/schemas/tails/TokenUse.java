package io.kipimo.schemas.tails;

/**
 * What tokens can carry (sPARE, sec. V-A2).
 *
 * @param tokens M * C, mean over the window
 * @param holdMicros T_K, mean time from a token's allocation to its return
 * @param connectionsPerSecond M * C * mu_K: above this rate, copies included, connections wait
 *     without end
 * @param load tokens returned a second over that rate; 1: all are out all the time
 * @param smallestTokens a server, that carry the window's load
 */
public record TokenUse(
        double tokens,
        double holdMicros,
        double connectionsPerSecond,
        double load,
        int smallestTokens) {}
