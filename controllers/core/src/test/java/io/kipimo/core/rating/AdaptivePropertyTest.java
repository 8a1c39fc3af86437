package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.SearchTermsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

/** Guarantees of the adaptive search for any target. */
class AdaptivePropertyTest {
    private static final double ACCURACY = 0.001;

    @Provide
    Arbitrary<Integer> climbs() {
        return Arbitraries.of(2, 4, 10);
    }

    /** 100 to 100 million, log-uniform. */
    @Provide
    Arbitrary<Double> ratings() {
        return Arbitraries.doubles().between(2, 8).map(exponent -> Math.pow(10, exponent));
    }

    private static SearchTerms adaptive(int climb) {
        return SearchTerms.of(RatingTechnique.ADAPTIVE, climb);
    }

    @Property(seed = "4711")
    void isNeverMoreThanATenthOfAPercentOff(@ForAll("ratings") double rating, @ForAll("climbs") int climb) {
        QuadraticModel model = QuadraticModel.of(rating);
        SearchResult found = DryRun.of(adaptive(climb), model).rating();

        assertThat(found.ending()).isEqualTo(Ending.FOUND);
        assertThat(found.throughput()).isGreaterThanOrEqualTo(model.best() * (1 - ACCURACY));
    }

    /** Bounds of single runs; {@link RatingOracleTest} tests the share of runs within 3 %. */
    @Property(seed = "4711")
    void findsTheLoadUnder5PercentNoiseOnEveryReading(
            @ForAll("ratings") double rating, @ForAll("climbs") int climb, @ForAll long seed) {
        QuadraticModel model = QuadraticModel.of(rating);
        SearchResult found = DryRun.noisy(adaptive(climb), model, 0.05, new SplittableRandom(seed))
                .rating();

        assertThat(found.ending()).isEqualTo(Ending.FOUND);
        double carried = model.at(found.load()).throughput();
        assertThat(carried).isGreaterThanOrEqualTo(0.8 * model.best());
        assertThat(found.throughput()).isBetween(0.85 * rating, 1.15 * rating);
    }

    @Property(seed = "4711")
    void findsWhereTheAgreementBreaks(
            @ForAll("ratings") double rating,
            @ForAll("climbs") int climb,
            @ForAll @DoubleRange(min = 0, max = 1.5) double share) {
        long limit = Math.max(1, Math.round(share * Math.sqrt(rating)));
        QuadraticModel model = new QuadraticModel(rating, limit);
        SearchResult found = DryRun.of(adaptive(climb), model).rating();

        assertThat(found.ending()).isEqualTo(Ending.FOUND);
        assertThat(found.load()).isLessThanOrEqualTo(limit);
        assertThat(found.throughput()).isGreaterThanOrEqualTo(model.best() * (1 - ACCURACY));
        assertThat(found.experiments()).isLessThanOrEqualTo(30);
    }

    /** The case that matters in practice: throughput still rises where answers become too slow. */
    @Property(tries = 300, seed = "4711")
    void findsWhereTheAgreementBreaksUnder5PercentNoise(
            @ForAll @LongRange(min = 20, max = 20_000) long limit, @ForAll("climbs") int climb, @ForAll long seed) {
        RatedServiceModel rising = load -> within(load, limit, 1e5 * load / (load + 0.5 * limit));
        SearchResult found = DryRun.noisy(adaptive(climb), rising, 0.05, new SplittableRandom(seed))
                .rating();

        assertThat(found.load()).isLessThanOrEqualTo(limit);
        assertThat(rising.at(found.load()).throughput())
                .isGreaterThanOrEqualTo(rising.at(limit).throughput() * 0.85);
        assertThat(found.experiments()).isLessThanOrEqualTo(100);
    }

    /** Other shapes than parabolas: proportional up to a knee, asymptotic, and with a long tail. */
    @Property(seed = "4711")
    void isAsAccurateOnOtherConcaveCurves(
            @ForAll @LongRange(min = 5, max = 20_000) long scale,
            @ForAll @DoubleRange(min = 0.2, max = 1) double limit,
            @ForAll("climbs") int climb) {
        long highest = Math.max(1, Math.round(limit * 4 * scale));
        List<RatedServiceModel> curves = List.of(
                load -> within(load, highest, 100.0 * Math.min(load, scale)),
                load -> within(load, highest, 1e5 * load / (load + scale)),
                load -> within(load, highest, load * Math.exp(-(double) load / scale)));
        for (RatedServiceModel curve : curves) {
            SearchResult found = DryRun.of(adaptive(climb), curve).rating();
            double best = 0;
            for (long load = 1; load <= highest; load++) {
                best = Math.max(best, curve.at(load).throughput());
            }
            assertThat(found.ending()).isEqualTo(Ending.FOUND);
            assertThat(found.throughput()).isGreaterThanOrEqualTo(best * (1 - ACCURACY));
            assertThat(found.experiments()).isLessThanOrEqualTo(40);
        }
    }

    /** Falls slowly beyond its peak. */
    @Property(tries = 300, seed = "4711")
    void isNearThePeakOfACurveWithALongTailUnder5PercentNoise(
            @ForAll @LongRange(min = 20, max = 20_000) long scale, @ForAll("climbs") int climb, @ForAll long seed) {
        RatedServiceModel tail = load -> within(load, Long.MAX_VALUE, load * Math.exp(-(double) load / scale));
        SearchResult found = DryRun.noisy(
                        SearchTermsBuilder.builder(adaptive(climb))
                                .accuracy(0.02)
                                .build(),
                        tail,
                        0.05,
                        new SplittableRandom(seed))
                .rating();

        assertThat(tail.at(found.load()).throughput())
                .isGreaterThanOrEqualTo(0.8 * tail.at(scale).throughput());
    }

    private static ExperimentReading within(long load, long highest, double throughput) {
        return new ExperimentReading(load, throughput, load <= highest ? Verdict.PASSED : Verdict.FAILED);
    }

    /** A search that is resumed from its log after each experiment is the same search. */
    @Property(tries = 200, seed = "4711")
    void theLogIsAllThereIsToRemember(
            @ForAll RatingTechnique technique,
            @ForAll("ratings") double rating,
            @ForAll("climbs") int climb,
            @ForAll long seed) {
        SearchTerms settings = SearchTerms.of(technique, climb);
        DryRun run = DryRun.noisy(settings, QuadraticModel.of(rating), 0.05, new SplittableRandom(seed));
        List<ExperimentReading> kept = new ArrayList<>();
        for (ExperimentReading reading : run.log()) {
            SearchStep step = Search.next(settings, List.copyOf(kept));
            assertThat(step).isInstanceOf(SearchStep.SearchRun.class);
            assertThat(((SearchStep.SearchRun) step).load()).isEqualTo(reading.load());
            kept.add(reading);
        }
        assertThat(Search.next(settings, kept)).isEqualTo(new SearchStep.SearchEnd(run.rating()));
    }
}
