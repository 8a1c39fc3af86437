package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.fanout.model.FanOutAdvice.FanOutOutcome;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class FanOutTest {
    private static Measurement measured(Completeness completeness, double... contributions) {
        return measured(completeness, 10_000, contributions);
    }

    private static Measurement measured(Completeness completeness, long latencyMicros, double... contributions) {
        List<ComponentShare> shares = new ArrayList<>();
        for (int c = 0; c < contributions.length; c++) {
            shares.add(new ComponentShare(
                    "shard-" + c,
                    io.kipimo.schemas.quality.Outcome.IN_TIME,
                    latencyMicros,
                    false,
                    0,
                    contributions[c]));
        }
        return Measurement.builder()
                .service("shop")
                .queryId("q")
                .queryClass("low")
                .completeness(completeness)
                .components(shares)
                .build();
    }

    private static FanOut of(int queries, double... contributions) {
        FanOut fanOut = new FanOut();
        for (int i = 0; i < queries; i++) {
            fanOut.add(measured(Completeness.COMPLETE, contributions), Features.NONE);
        }
        return fanOut;
    }

    @Example
    void whatContributesNothingCanBeLeftOutForAllQueries() {
        FanOutAdvice advice = of(400, 0.6, 0.4, 0, 0).advice(0.95);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.FIXED);
        assertThat(advice.saving()).isCloseTo(0.5, within(1e-9));
        assertThat(advice.chosen().orElseThrow().leftOut()).containsExactlyInAnyOrder("shard-2", "shard-3");
    }

    @Example
    void withEqualContributionsThereIsNothingToGain() {
        FanOutAdvice advice = of(400, 0.25, 0.25, 0.25, 0.25).advice(0.95);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.NOTHING_TO_GAIN);
        assertThat(advice.saving()).isLessThan(0.1);
    }

    /** Each query has all of its answer in one of four components. */
    @Example
    void aChoiceForEachQuerySavesWhereNoFixedOneDoes() {
        FanOut fanOut = new FanOut();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 400; i++) {
            double[] one = new double[4];
            one[random.nextInt(4)] = 1;
            fanOut.add(measured(Completeness.COMPLETE, one), Features.NONE);
        }
        FanOutAdvice advice = fanOut.advice(0.95);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.PER_QUERY);
        assertThat(advice.saving()).isCloseTo(0.75, within(1e-9));
    }

    /** Half of the queries have all in one component, and cost a hundredth of the others. */
    @Example
    void whatCheapQueriesSaveIsLittleOfTheWork() {
        FanOut fanOut = new FanOut();
        for (int i = 0; i < 1_000; i++) {
            fanOut.add(measured(Completeness.COMPLETE, 100, 1, 0, 0, 0), Features.of(1));
            fanOut.add(measured(Completeness.COMPLETE, 10_000, 1, 1, 1, 1), Features.of(2));
        }
        FanOutAdvice advice = fanOut.advice(0.98);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.NOTHING_TO_GAIN);
        assertThat(advice.saving()).isLessThan(0.1);
    }

    @Example
    void withoutKnownContributionsNothingIsAdvised() {
        FanOut fanOut = of(FanOut.LEAST_QUERIES - 1, 0.5, 0.5);
        fanOut.add(measured(Completeness.EXPIRED, 0.5, 0.5), Features.NONE);
        fanOut.add(measured(Completeness.COMPLETE, 0, 0), Features.NONE);
        fanOut.add(measured(Completeness.COMPLETE, 1), Features.NONE);

        FanOutAdvice advice = fanOut.advice(0.95);
        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.NOT_ENOUGH);
        assertThat(advice.queries()).isEqualTo(FanOut.LEAST_QUERIES - 1);
    }

    @Property(tries = 50, shrinking = ShrinkingMode.OFF)
    void curvesFallWithEffortAndThePerfectChoiceIsNotWorse(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FanOut fanOut = new FanOut();
        int components = 2 + random.nextInt(10);
        double skew = 3 * random.nextDouble();
        for (int i = 0; i < 600; i++) {
            double[] contributions = new double[components];
            for (int c = 0; c < components; c++) {
                contributions[c] = Math.pow(random.nextDouble(), skew);
            }
            fanOut.add(measured(Completeness.COMPLETE, contributions), Features.NONE);
        }
        FanOutAdvice advice = fanOut.advice(0.9);

        for (List<FanOutPoint> curve : List.of(advice.fixed(), advice.perfect())) {
            assertThat(curve.get(0).effort()).isCloseTo(1, within(1e-9));
            assertThat(curve.get(0).quality().mean()).isCloseTo(1, within(1e-9));
            for (int i = 1; i < curve.size(); i++) {
                assertThat(curve.get(i).effort()).isLessThan(curve.get(i - 1).effort());
                assertThat(curve.get(i).quality().mean())
                        .isLessThanOrEqualTo(curve.get(i - 1).quality().mean() + 1e-9);
            }
        }
        for (FanOutPoint fixed : advice.fixed()) {
            double perfect = advice.perfect().stream()
                    .filter(p -> p.effort() >= fixed.effort() - 1e-9)
                    .mapToDouble(p -> p.quality().mean())
                    .min()
                    .orElseThrow();
            // Half of the queries judge the fixed choice.
            assertThat(perfect).isGreaterThanOrEqualTo(fixed.quality().mean() - 0.05);
        }
        advice.chosen().ifPresent(p -> assertThat(p.quality().low()).isGreaterThanOrEqualTo(0.9));
    }

    @Example
    void featuresThatTellTheComponentLeadToALearnedChoiceBetweenFixedAndPerfect() {
        FanOut fanOut = new FanOut();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 6_000; i++) {
            int topic = random.nextInt(3);
            double[] contributions = {0.02, 0.02, 0.02};
            contributions[topic] = 0.96;
            fanOut.add(measured(Completeness.COMPLETE, contributions), Features.of(topic, 100 + random.nextInt(1_000)));
        }

        FanOutAdvice advice = fanOut.advice(0.95);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.LEARNED);
        assertThat(advice.tested()).isEqualTo(6_000);
        assertThat(advice.saving()).isGreaterThan(0.3);
        assertThat(advice.chosen().orElseThrow().quality().low()).isGreaterThanOrEqualTo(0.95);
        assertThat(advice.chosen().orElseThrow().effort())
                .isGreaterThanOrEqualTo(advice.perfect().stream()
                                .filter(p -> p.quality().mean() >= 0.95)
                                .mapToDouble(FanOutPoint::effort)
                                .min()
                                .orElseThrow()
                        - 0.02);
    }

    @Example
    void featuresThatTellNothingChangeNothing() {
        FanOut fanOut = new FanOut();
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < 2_000; i++) {
            fanOut.add(measured(Completeness.COMPLETE, 0.34, 0.33, 0.33), Features.of(random.nextLong()));
        }

        FanOutAdvice advice = fanOut.advice(0.95);

        assertThat(advice.outcome()).isEqualTo(FanOutOutcome.NOTHING_TO_GAIN);
        assertThat(advice.learned()).allMatch(p -> p.effort() > 0);
    }
}
