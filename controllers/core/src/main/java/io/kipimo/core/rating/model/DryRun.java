package io.kipimo.core.rating.model;

import io.kipimo.core.rating.Reading;
import io.kipimo.core.rating.search.Rating;
import io.kipimo.core.rating.search.Search;
import io.kipimo.core.rating.search.SearchSettings;
import io.kipimo.core.rating.search.SearchStep;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A search on a model from its first experiment to the rating.
 *
 * @param log every experiment, in order
 */
public record DryRun(Rating rating, List<Reading> log) {

    public DryRun {
        log = List.copyOf(log);
    }

    /** One without noise. */
    public static DryRun of(SearchSettings settings, ServiceModel model) {
        return run(settings, model, 0, null);
    }

    /**
     * One whose readings are off by normally distributed noise.
     *
     * @param noise standard deviation of a reading, as a fraction of it, 0..0.5
     */
    public static DryRun noisy(
            SearchSettings settings, ServiceModel model, double noise, RandomGenerator random) {
        if (!(noise >= 0 && noise <= 0.5)) {
            throw new IllegalArgumentException("noise is " + noise + "; allowed: 0..0.5");
        }
        return run(settings, model, noise, random);
    }

    private static DryRun run(
            SearchSettings settings, ServiceModel model, double noise, RandomGenerator random) {
        List<Reading> log = new ArrayList<>();
        SearchStep step = Search.next(settings, log);
        while (step instanceof SearchStep.Run wanted) {
            Reading exact = model.at(wanted.load());
            double factor = noise == 0 ? 1 : Math.max(0, 1 + noise * random.nextGaussian());
            log.add(new Reading(exact.load(), exact.throughput() * factor, exact.verdict()));
            step = Search.next(settings, log);
        }
        return new DryRun(((SearchStep.Done) step).rating(), log);
    }
}
