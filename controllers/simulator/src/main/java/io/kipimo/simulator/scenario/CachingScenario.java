package io.kipimo.simulator.scenario;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;

/**
 * Clients, caches and an origin.
 *
 * @param reads that are simulated, from empty caches on
 */
public record CachingScenario(String name, String description, long seed, long reads, CachingSpec caching) {
    /** The scenario with another seed. */
    public CachingScenario withSeed(long newSeed) {
        return new CachingScenario(name, description, newSeed, reads, caching);
    }

    /** The same scenario gives the same result, to the last bit. */
    public CachingResult run() {
        return CachingModel.run(caching, seed, reads);
    }
}
