package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import io.kipimo.core.rating.DryRun;
import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import io.kipimo.core.replication.RecordedArrivals.RecordedArrival;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.SearchTermsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordedArrivalsTest {
    private static RecordedArrivals of(double... seconds) {
        List<RecordedArrival> arrivals = new ArrayList<>();
        for (double time : seconds) {
            arrivals.add(new RecordedArrival(time, "at " + time));
        }
        return RecordedArrivals.of(arrivals);
    }

    @Test
    void gapsKeepTheirProportionsAndTextsTheirTimes() {
        // Out of order, as logs are. Span 6 s, mean gap 2 s.
        RecordedArrivals recorded = of(107, 101, 102, 104);
        assertThat(recorded.perSecond()).isEqualTo(0.5);
        List<String> seen = new ArrayList<>();
        RecordedArrivals.ArrivalReader reader = recorded.somewhere(3);
        for (int i = 0; i < 8; i++) {
            double gap = reader.gap();
            seen.add(reader.text() + " after " + gap);
        }

        assertThat(seen.subList(4, 8)).isEqualTo(seen.subList(0, 4));
        assertThat(seen)
                .contains("at 101.0 after 1.0", "at 102.0 after 0.5", "at 104.0 after 1.0", "at 107.0 after 1.5");
    }

    @Test
    void oneTimeHasNoRhythm() {
        assertThatThrownBy(() -> of(5)).hasMessageContaining("allowed: two different times");
        assertThatThrownBy(() -> of(5, 5)).hasMessageContaining("allowed: two different times");
        assertThatThrownBy(() -> of(-1e308, 1e308)).hasMessageContaining("two different times");
    }

    /** Calm and busy periods: nine times the rate in a tenth of the time. */
    private static DoubleSupplier bursty(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new DoubleSupplier() {
            private boolean busy;
            private double left;

            /** Gap in mean gaps. */
            @Override
            public double getAsDouble() {
                double gap = 0;
                while (true) {
                    double rate = busy ? 5 : 5.0 / 9;
                    double next = -Math.log1p(-random.nextDouble()) / rate;
                    if (next <= left) {
                        left -= next;
                        return gap + next;
                    }
                    gap += left;
                    busy = !busy;
                    left = -Math.log1p(-random.nextDouble()) * (busy ? 4 : 36);
                }
            }
        };
    }

    /** Highest load, as a rate, at which 95 % of the requests wait and are served within 20 ms. */
    private static double rating(java.util.function.LongFunction<DoubleSupplier> gaps) {
        return DryRun.of(
                        SearchTermsBuilder.builder(SearchTerms.of(RatingTechnique.ADAPTIVE, 2))
                                .accuracy(0.01)
                                .build(),
                        load -> {
                            DoubleSupplier source = gaps.apply(load);
                            double now = 0;
                            double freeAt = 0;
                            int inTime = 0;
                            int requests = 400_000;
                            for (int i = 0; i < requests; i++) {
                                now += source.getAsDouble() / load;
                                freeAt = Math.max(now, freeAt) + 0.001;
                                inTime += freeAt - now <= 0.02 ? 1 : 0;
                            }
                            return new ExperimentReading(
                                    load, load, inTime >= 0.95 * requests ? Verdict.PASSED : Verdict.FAILED);
                        })
                .rating()
                .throughput();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Effort.of(1, 5));
    }

    /**
     * The bar is 6 %, for a recording of 10,000 bursts: with 2,000 of them chance alone is up to 5 %. A Poisson process
     * of the mean rate is far off.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void aRatingByAReplayIsThatOfTheTraffic(long seed) {
        DoubleSupplier earlier = bursty(1_000 + seed);
        List<RecordedArrival> log = new ArrayList<>();
        double at = 1.7e9;
        for (int i = 0; i < 400_000; i++) {
            at += earlier.getAsDouble() / 37;
            // As logs have it, and answers.
            log.add(new RecordedArrival(Math.rint(at * 1e3) / 1e3, ""));
        }
        RecordedArrivals recorded = RecordedArrivals.of(log);
        double traffic = rating(load -> bursty(seed));
        double replayed = rating(load -> recorded.somewhere(seed)::gap);
        SplittableRandom random = new SplittableRandom(seed);
        double poisson = rating(load -> () -> -Math.log1p(-random.nextDouble()));

        assertThat(replayed / traffic).isCloseTo(1, within(0.06));
        assertThat(poisson / traffic).isGreaterThan(1.3);
    }
}
