package io.kipimo.simulator.service;

import io.kipimo.simulator.workload.ModelChecks;

/**
 * A cache in front of a tier that keeps each answer for a time to live, whatever happens to its sources. A hit takes no
 * time and reaches no server. Independent requests for key i at rate l_i hit with probability {@code l_i TTL / (1 + l_i
 * TTL)}, since only a miss starts a time to live.
 *
 * @param keys number of keys that requests ask for
 * @param popularity Zipf's exponent of the keys, from 0 (all alike)
 * @param ttlSeconds time from an answer to its expiry, above 0
 */
public record AnswerCache(int keys, double popularity, double ttlSeconds) {
    public AnswerCache {
        ModelChecks.atLeast("keys of a cache", keys, 1);
        ModelChecks.atLeast("popularity of keys", popularity, 0);
        ModelChecks.above("time to live", ttlSeconds, 0);
    }
}
