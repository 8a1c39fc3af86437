package io.kipimo.core.quality.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EstimatesPropertyTest {
    /** The constructor of Estimate itself checks that low, mean and high ascend within 0..1. */
    @Property(seed = "61")
    void anyCountsGiveAValidEstimateOrNone(
            @ForAll("counts") StratumCounts batch, @ForAll("counts") StratumCounts history) {
        StratifiedEstimator.estimate(batch);
        PlainEstimator.estimate(batch);
        Optional<Estimate> estimate = StratifiedEstimator.estimate(batch, history);
        if (batch.answered() > 0 && batch.degradedSamples() > 0) {
            assertThat(estimate).isPresent();
        }
    }

    @Property(seed = "62")
    void aloneTheMeanIsTheFormula(@ForAll("counts") StratumCounts counts) {
        boolean aligned = counts.timedOut() >= counts.degradedSamples()
                && counts.answered() >= counts.timedOut() + counts.cleanSamples();
        if (aligned && counts.degradedSamples() > 0) {
            double clean = counts.answered() - counts.timedOut();
            double expected = (clean + counts.timedOut() * counts.degradedLow().mean()) / counts.answered();
            assertThat(StratifiedEstimator.estimate(counts).orElseThrow().mean())
                    .isCloseTo(expected, within(1e-9));
        }
    }

    @Property(seed = "63")
    void theIntervalExcludesImpossibleMeans(
            @ForAll("counts") StratumCounts batch, @ForAll("counts") StratumCounts history) {
        // Clean answers have quality 1, and the sampled ones are known.
        long others = Math.max(batch.timedOut(), batch.degradedSamples());
        long answered = Math.max(batch.answered(), others + batch.cleanSamples());
        StratifiedEstimator.estimate(batch, history).ifPresent(estimate -> {
            double least = (answered - others + batch.degradedLow().sum()) / answered;
            assertThat(estimate.low()).isGreaterThan(least - 1e-9);
        });
    }

    @Property(seed = "64")
    void sumsAddUpInAnyOrder(@ForAll("counts") StratumCounts first, @ForAll("counts") StratumCounts second) {
        assertThat(first.plus(second)).isEqualTo(second.plus(first));
        assertThat(first.plus(StratumCounts.NONE)).isEqualTo(first);
        assertThat(first.plus(second).samples()).isEqualTo(first.samples() + second.samples());
    }

    @Provide
    Arbitrary<StratumCounts> counts() {
        Arbitrary<StratumCounts> counted = Combinators.combine(
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.integers().between(0, 30))
                .as((answered, timedOut, clean) ->
                        new StratumCounts(answered, timedOut, clean, StratumSums.NONE, StratumSums.NONE));
        Arbitrary<double[]> ends =
                Arbitraries.doubles().between(0, 1).array(double[].class).ofMaxSize(40);
        return Combinators.combine(counted, ends).as((counts, qualities) -> {
            StratumCounts all = counts;
            for (double quality : qualities) {
                all = all.plusDegraded(quality * quality, quality);
            }
            return all;
        });
    }
}
