package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.kipimo.core.Effort;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.SearchTermsBuilder;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The adaptive search against services whose rating is known: 5 families, up to 200 seeds each, and noise of 0 to 10 %
 * that the search is not told. Golden on the same readings is the yardstick.
 */
class RatingOracleTest {
    private static final int SEEDS = Effort.of(20, 200);
    private static final double[] NOISES = {0, 0.01, 0.02, 0.05, 0.1};
    private static final double NEAR = 0.97;

    /** Results of one technique over all seeds and noises. */
    private static final class Score {
        private int runs;
        private int near;
        private int experiments;

        double experiments() {
            return (double) experiments / runs;
        }
    }

    /** A staircase whose first step is longer than the climb looks ahead looks flat. */
    @ParameterizedTest(name = "peaks at loads of 1 to {0}")
    @CsvSource({"10, 1.25", "100, 1.1", "10000, 0.75", "1000000, 0.6"})
    void settlesNearTheTrueRatingWithGoldensExperiments(double highestPeak, double ofGolden) {
        Score adaptive = new Score();
        Score golden = new Score();
        for (CurveFamily family : CurveFamily.values()) {
            if (family == CurveFamily.STEPPED && highestPeak > 100) {
                continue;
            }
            for (double noise : NOISES) {
                for (int seed = 0; seed < SEEDS; seed++) {
                    int random = seed;
                    double peak = peak(seed, highestPeak);
                    RatedServiceModel service = family.model(1e4, peak, Long.MAX_VALUE);
                    double best = best(service, peak, Long.MAX_VALUE);
                    Supplier<String> what = () -> family + " peak " + peak + " noise " + noise + " seed " + random;
                    DryRun run = run(RatingTechnique.ADAPTIVE, service, noise, seed);
                    assertIsMeasured(run, what);
                    score(adaptive, run, service, best);
                    score(golden, run(RatingTechnique.GOLDEN, service, noise, seed), service, best);
                }
            }
        }
        assertThat(adaptive.near).isGreaterThanOrEqualTo((int) ((0.94 - Effort.slack(0.03)) * adaptive.runs));
        assertThat(adaptive.experiments()).isLessThanOrEqualTo((ofGolden + Effort.slack(0.15)) * golden.experiments());
    }

    /** The load at which the agreement breaks, while throughput still rises or falls already. */
    @ParameterizedTest(name = "limits at {0} of the peak")
    @CsvSource({"0.2", "0.5", "0.9", "1.5", "3"})
    void isNeverAboveALoadThatFailed(double ofPeak) {
        Score adaptive = new Score();
        for (CurveFamily family : CurveFamily.values()) {
            for (double noise : NOISES) {
                for (int seed = 0; seed < SEEDS; seed++) {
                    int random = seed;
                    double peak = peak(seed, 2_000);
                    long limit = Math.max(1, Math.round(ofPeak * peak));
                    RatedServiceModel service = family.model(1e4, peak, limit);
                    Supplier<String> what = () -> family + " limit " + limit + " noise " + noise + " seed " + random;
                    DryRun run = run(RatingTechnique.ADAPTIVE, service, noise, seed);
                    assertIsMeasured(run, what);
                    if (family != CurveFamily.STEPPED) {
                        score(adaptive, run, service, best(service, peak, limit));
                    }
                }
            }
        }
        assertThat(adaptive.near).isGreaterThanOrEqualTo((int) ((0.93 - Effort.slack(0.03)) * adaptive.runs));
    }

    private static double peak(int seed, double highest) {
        double peak = Math.pow(highest, new SplittableRandom(31L * seed + 7).nextDouble());
        return highest <= 10 ? 1 + seed % 10 : peak;
    }

    private static double best(RatedServiceModel service, double peak, long limit) {
        return LongStream.of((long) Math.floor(peak), (long) Math.ceil(peak), limit)
                .map(load -> Math.min(load, limit))
                .filter(load -> load < Long.MAX_VALUE)
                .mapToDouble(load -> service.at(load).throughput())
                .max()
                .orElseThrow();
    }

    private static DryRun run(RatingTechnique technique, RatedServiceModel service, double noise, int seed) {
        return DryRun.noisy(
                SearchTermsBuilder.builder(SearchTerms.of(technique, 2))
                        .accuracy(0.02)
                        .build(),
                service,
                noise,
                new SplittableRandom(seed));
    }

    private static void score(Score score, DryRun run, RatedServiceModel service, double best) {
        score.runs++;
        score.experiments += run.rating().experiments();
        score.near += service.at(run.rating().load()).throughput() >= NEAR * best ? 1 : 0;
    }

    /** Found, passed twice or more, the mean of what was read there, and below every failure. */
    private static void assertIsMeasured(DryRun run, Supplier<String> what) {
        SearchResult rating = run.rating();
        int passes = 0;
        double sum = 0;
        boolean below = true;
        for (ExperimentReading reading : run.log()) {
            below &= reading.passed() || reading.load() > rating.load();
            if (reading.load() == rating.load() && reading.passed()) {
                passes++;
                sum += reading.throughput();
            }
        }
        boolean measured = Math.abs(sum / passes - rating.throughput()) < 1e-6;
        if (rating.ending() != Ending.FOUND || passes < 2 || !below || !measured) {
            fail(what.get() + " " + rating + " " + run.log());
        }
    }
}
