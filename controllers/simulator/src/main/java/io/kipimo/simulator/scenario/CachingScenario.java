package io.kipimo.simulator.scenario;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;

/**
 * A scenario of clients, caches and an origin.
 *
 * @param reads number of reads that are simulated, from empty caches on
 */
@WithBuilder
public record CachingScenario(String name, String description, long seed, long reads, CachingSpec caching)
        implements CachingScenarioBuilder.With {
    /** Runs the scenario. Equal scenarios give equal results, to the last bit. */
    public CachingResult run() {
        return CachingModel.run(caching, seed, reads);
    }
}
