package io.kipimo.core.quality.window;

import static io.kipimo.core.quality.SampleMeasurements.METRIC;
import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.expired;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.missing;
import static io.kipimo.core.quality.SampleMeasurements.second;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.Events;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final long FROM = 1_000_000;
    private static final long UNTIL = 2_000_000;
    private static final GateRule RULE = new GateRule(0.9, 0.02, 20);

    private static GateEvidence nothing() {
        return GateEvidence.of("shop", "high", METRIC, FROM, UNTIL);
    }

    /** Answers of which a tenth is sampled. The degraded ones alternately lose more and less. */
    private static GateEvidence evidence(int answered, int timedOut, double lost) {
        GateEvidence evidence = nothing().with(second(FROM, answered, timedOut));
        for (int i = 0; i < timedOut / 10; i++) {
            double mine = lost + (i % 2 == 0 ? 0.05 : -0.05);
            evidence = evidence.with(degraded(FROM + i, late("slow", mine)));
        }
        for (int i = 0; i < (answered - timedOut) / 10; i++) {
            evidence = evidence.with(clean(FROM + i));
        }
        return evidence;
    }

    @Test
    void aReleaseThatSurelyKeepsTheObjectivePasses() {
        GateResult result = Gate.verdict(evidence(10_000, 1000, 0.5), RULE);

        assertThat(result.verdict()).isEqualTo(GateVerdict.PASS);
        assertThat(result.candidate())
                .hasValueSatisfying(e -> assertThat(e.mean()).isEqualTo(0.95));
        assertThat(result.reason()).startsWith("quality is 0.9500 (0.94").contains("0.9000");
    }

    @Test
    void aReleaseThatSurelyDoesNotFails() {
        assertThat(Gate.verdict(evidence(10_000, 3000, 0.5), RULE).verdict()).isEqualTo(GateVerdict.FAIL);
    }

    @Test
    void aReleaseOnTheEdgeIsNotEnough() {
        assertThat(Gate.verdict(evidence(10_000, 2000, 0.5), RULE).verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
    }

    private static Measurement differing(long atMillis) {
        return degraded(atMillis, late("slow", 0.5)).toBuilder()
                .completeness(Completeness.NOT_MEASURABLE)
                .unmeasurable(Optional.of(Unmeasurable.MERGE_DIFFERS))
                .scores(List.of())
                .components(List.of())
                .build();
    }

    /** They are degraded answers of any quality, and say nothing of the clean ones. */
    @Test
    void answersThatAreNotThePolicysMergeAreNamedAndWidenTheDegradedStratum() {
        GateEvidence alone = nothing().with(second(FROM, 10_000, 1_000));
        for (int i = 0; i < 900; i++) {
            alone = alone.with(clean(FROM + i));
        }
        for (int i = 0; i < 100; i++) {
            alone = alone.with(differing(FROM + i));
        }
        GateResult unknown = Gate.verdict(alone, new GateRule(0.95, 0.02, 20));
        assertThat(unknown.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(unknown.reason())
                .contains("; 100 degraded answers are not the merge")
                .contains("MERGE_DIFFERS");

        GateEvidence beside = evidence(10_000, 1_000, 0.5);
        for (int i = 0; i < 100; i++) {
            beside = beside.with(differing(FROM + i));
        }
        GateResult result = Gate.verdict(beside, new GateRule(0.93, 0.02, 20));
        assertThat(result.candidate())
                .hasValueSatisfying(e -> assertThat(e.low()).isBetween(0.91, 0.925))
                .hasValueSatisfying(e -> assertThat(e.high()).isBetween(0.975, 0.985));
        assertThat(result.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(beside.measurableShare()).isEqualTo(1);
    }

    @Test
    void aWindowsAnswersThatAreNotThePolicysMergeCountAlike() {
        QualityWindow window = QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric(METRIC)
                .kind(WindowKind.BATCH)
                .startMillis(FROM)
                .endMillis(FROM + 1_000)
                .answered(1_000)
                .timedOut(100)
                .samples(100)
                .degradedSamples(10)
                .plainMean(0.95)
                .unmeasurable(Map.of(Unmeasurable.MERGE_DIFFERS, 50L))
                .unmeasurableSamples(10)
                .build();
        GateEvidence evidence = nothing().with(window);
        assertThat(evidence.differingSamples()).isEqualTo(10);
        assertThat(evidence.unmeasurable()).isZero();
        assertThat(evidence.measurableShare()).isEqualTo(1);
    }

    @Test
    void aVariantIsJudgedByItsOwnEvidence() {
        GateEvidence canary = nothing().ofVariant("canary");
        GateEvidence stable = nothing().ofVariant("stable");
        GateEvidence all = nothing();
        for (String name : List.of("canary", "stable", "")) {
            Measurement lost = degraded(FROM, late("slow", name.equals("canary") ? 0.5 : 0.1));
            Measurement named = lost.toBuilder().variant(name).build();
            var counts = ObservationBuilder.builder(second(FROM, 10, 10))
                    .variant(name)
                    .build();
            for (int i = 0; i < 500; i++) {
                canary = canary.with(named).with(counts);
                stable = stable.with(named).with(counts);
                all = all.with(named).with(counts);
            }
        }
        assertThat(all.counts().answered()).isEqualTo(15_000);
        assertThat(canary.counts().answered()).isEqualTo(5_000);
        assertThat(canary.estimate().orElseThrow().mean()).isCloseTo(0.5, within(1e-9));
        GateRule rule = new GateRule(0, 0.02, 20);
        assertThat(Gate.verdict(canary, stable, rule).verdict()).isEqualTo(GateVerdict.FAIL);
        assertThat(Gate.verdict(stable, stable, rule).verdict()).isEqualTo(GateVerdict.PASS);
    }

    @Test
    void windowsOfAVariantAreEvidenceOnThatVariantOnly() {
        QualityWindow window = QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric(METRIC)
                .kind(WindowKind.BATCH)
                .startMillis(FROM)
                .endMillis(FROM + 1_000)
                .answered(10)
                .variant("canary")
                .build();
        assertThat(nothing().with(window)).isEqualTo(nothing());
        assertThat(nothing().ofVariant("stable").with(window).counts().answered())
                .isZero();
        assertThat(nothing().ofVariant("canary").with(window).counts().answered())
                .isEqualTo(10);
    }

    @Test
    void noDataIsNotEnough() {
        GateResult result = Gate.verdict(nothing(), RULE);

        assertThat(result.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(result.reason()).isEqualTo("0 measured queries, wanted at least 20");
        assertThat(result.candidate()).isEmpty();
    }

    @Test
    void againstABaselineTheDropCountsToo() {
        GateEvidence before = evidence(10_000, 500, 0.5);

        assertThat(Gate.verdict(evidence(10_000, 600, 0.5), before, RULE).verdict())
                .isEqualTo(GateVerdict.PASS);
        GateResult worse = Gate.verdict(evidence(10_000, 1500, 0.5), before, RULE);
        assertThat(worse.verdict()).isEqualTo(GateVerdict.FAIL);
        assertThat(worse.reason()).startsWith("it dropped by 0.0500");
        assertThat(worse.drop()).hasValueSatisfying(d -> assertThat(d.mean()).isCloseTo(0.05, within(1e-9)));
        GateResult unknown = Gate.verdict(evidence(10_000, 600, 0.5), nothing(), RULE);
        assertThat(unknown.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(unknown.reason()).contains("the baseline has 0 measured queries");
    }

    @Test
    void missingResultsDoNotPass() {
        GateEvidence evidence = nothing().with(second(FROM, 1000, 1000));
        for (int i = 0; i < 100; i++) {
            evidence = evidence.with(expired(FROM + i, 0, 1, missing("dead")));
        }
        assertThat(Gate.verdict(evidence, RULE).verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(evidence.expired()).isEqualTo(100);
    }

    private static Measurement trimmed(long atMillis, double loss) {
        return clean(atMillis).toBuilder()
                .scores(List.of(new Score(METRIC, 1 - loss, 1 - loss)))
                .components(List.of(
                        new ComponentShare("a", Outcome.IN_TIME, 1, false, 0, 0),
                        new ComponentShare("b", Outcome.NOT_ASKED, 0, false, 0, 0)))
                .notAskedLoss(Optional.of(loss))
                .build();
    }

    @Test
    void whatWasNotAskedIsLostToo() {
        GateEvidence counted = nothing()
                .with(ObservationBuilder.builder(second(FROM, 1000, 0))
                        .notAsked(500)
                        .notAskedLossSum(100)
                        .build());
        GateEvidence onlySampled = nothing();
        GateEvidence notCounted = nothing().with(second(FROM, 1000, 0));
        for (int i = 0; i < 100; i++) {
            Measurement measurement = i % 2 == 0 ? clean(FROM + i) : trimmed(FROM + i, 0.2);
            counted = counted.with(measurement);
            onlySampled = onlySampled.with(measurement);
            notCounted = notCounted.with(measurement);
        }

        assertThat(List.of(counted, onlySampled, notCounted)).allSatisfy(evidence -> {
            assertThat(evidence.estimate().orElseThrow().mean()).isCloseTo(0.9, within(1e-9));
            assertThat(evidence.deliberateLoss()).isCloseTo(0.1, within(1e-9));
        });
    }

    @Test
    void onlyTheRangeTheClassAndTheMetricCount() {
        GateEvidence evidence = nothing()
                .with(clean(FROM - 1))
                .with(clean(UNTIL))
                .with(second(UNTIL, 5, 0))
                .with(clean(UNTIL - 1));
        assertThat(evidence.counts().samples()).isEqualTo(1);
        assertThat(evidence.counts().answered()).isZero();
        GateEvidence other = GateEvidence.of("shop", "low", METRIC, FROM, UNTIL);
        assertThat(other.with(clean(FROM)).counts().samples()).isZero();
        GateEvidence metric = GateEvidence.of("shop", "high", "ndcg@4", FROM, UNTIL);
        assertThat(metric.with(clean(FROM)).counts().samples()).isZero();
    }

    @Test
    void withoutCountsTheSamplesStandForManyMore() {
        GateEvidence evidence = nothing();
        for (int i = 0; i < 100; i++) {
            evidence = evidence.with(clean(FROM + i));
        }
        assertThat(evidence.estimate()).hasValueSatisfying(e -> {
            assertThat(e.mean()).isEqualTo(1);
            assertThat(e.low()).isBetween(0.9, 0.99);
        });
    }

    @Test
    void controlBatchesGiveTheSameEvidenceAsMeasurementsAndCounts() {
        ClassWindows windows = new ClassWindows();
        GateEvidence direct = nothing();
        GateEvidence byBatches = nothing();
        // The first batch takes a second, the others two.
        for (int s = 0; s < 41; s++) {
            long at = FROM + s * 1000L;
            for (int i = 0; i < 5; i++) {
                var measurement = i < 2 ? degraded(at + i, late("slow", 0.1 * (1 + s % 5))) : clean(at + i);
                QualityWindows.add(windows, Events.policy(), measurement);
                direct = direct.with(measurement);
            }
            direct = direct.with(SampleMeasurements.second(at, 50, 20));
            List<QualityWindow> closed =
                    QualityWindows.add(windows, Events.policy(), SampleMeasurements.second(at, 50, 20));
            for (QualityWindow window : closed) {
                byBatches = byBatches.with(window);
            }
        }
        assertThat(byBatches.counts().answered()).isEqualTo(direct.counts().answered());
        assertThat(byBatches.counts().samples()).isEqualTo(direct.counts().samples());
        var expected = direct.estimate().orElseThrow();
        var actual = byBatches.estimate().orElseThrow();
        assertThat(actual.mean()).isCloseTo(expected.mean(), within(1e-9));
        assertThat(actual.low()).isCloseTo(expected.low(), within(1e-9));
        assertThat(actual.high()).isCloseTo(expected.high(), within(1e-9));
    }

    @Test
    void aRuleThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new GateRule(1.5, 0, 1)).hasMessage("objective is 1.5; allowed: 0..1");
        assertThatThrownBy(() -> new GateRule(0.5, -1, 1)).hasMessage("allowed drop is -1.0; allowed: 0..1");
        assertThatThrownBy(() -> new GateRule(0.5, 0, 0)).hasMessage("minimum samples are 0; allowed: at least 1");
    }
}
