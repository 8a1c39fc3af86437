package io.kipimo.core.rating;

import io.kipimo.schemas.rating.SearchTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A search on a model from its first experiment to the rating.
 *
 * @param log every experiment, in order
 */
public record DryRun(SearchResult rating, List<ExperimentReading> log) {

    public DryRun {
        log = List.copyOf(log);
    }

    /** A search without noise. */
    public static DryRun of(SearchTerms settings, RatedServiceModel model) {
        return run(settings, model, 0, null);
    }

    /**
     * A search whose readings have normally distributed noise.
     *
     * @param noise standard deviation of a reading, as a fraction of it, 0..0.5
     */
    public static DryRun noisy(SearchTerms settings, RatedServiceModel model, double noise, RandomGenerator random) {
        if (!(noise >= 0 && noise <= 0.5)) {
            throw new IllegalArgumentException("noise is " + noise + "; allowed: 0..0.5");
        }
        return run(settings, model, noise, random);
    }

    private static DryRun run(SearchTerms settings, RatedServiceModel model, double noise, RandomGenerator random) {
        List<ExperimentReading> log = new ArrayList<>();
        SearchStep step = Search.next(settings, log);
        while (step instanceof SearchStep.SearchRun wanted) {
            ExperimentReading exact = model.at(wanted.load());
            double factor = noise == 0 ? 1 : Math.max(0, 1 + noise * random.nextGaussian());
            log.add(new ExperimentReading(exact.load(), exact.throughput() * factor, exact.verdict()));
            step = Search.next(settings, log);
        }
        return new DryRun(((SearchStep.SearchEnd) step).rating(), log);
    }
}
