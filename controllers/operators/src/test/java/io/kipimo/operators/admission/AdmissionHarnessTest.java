package io.kipimo.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.join.Events;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.CostDecile;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionHarnessTest {
    private static final long NOW = 100_000_000;
    private static final long PERIOD = 10_000;

    /** Offsets of the log increase with every claim. */
    private static long claims;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, QualityWindow, Either<Policy, ReplicationDecision>, Decision>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        ControlFunction.admission((controller, claimant, now) -> ++claims, Map::of)),
                QualityWindow::service,
                word -> word.isLeft() ? word.left().service() : word.right().service(),
                Types.STRING);
    }

    private static QualityWindow batch(long end, double quality) {
        Estimate estimate = new Estimate(quality - 0.01, quality, Math.min(1, quality + 0.01));
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@4")
                .kind(WindowKind.BATCH)
                .startMillis(end - PERIOD)
                .endMillis(end)
                .offered(1000)
                .answered(1000)
                .timedOut(300)
                .samples(200)
                .degradedSamples((int) Math.round(200 * (1 - quality)))
                .estimate(Optional.of(estimate))
                .averaged(Optional.of(estimate))
                .averagedSamples(1200)
                .objective(0.9)
                .lossPerTimeOut(Optional.of(0.5))
                .build();
    }

    private static Policy policy(long version, Optional<ManualOverride> override) {
        Policy p = Events.policy();
        List<ClassPolicy> classes = new ArrayList<>();
        for (ClassPolicy c : p.classes()) {
            classes.add(c.toBuilder()
                    .override(c.priority() == 0 ? Optional.empty() : override)
                    .build());
        }
        return p.toBuilder()
                .version(version)
                .classes(classes)
                .admission(p.admission().toBuilder()
                        .shadow(false)
                        .periodMillis(PERIOD)
                        .build())
                .build();
    }

    private static StreamRecord<Either<Policy, ReplicationDecision>> policyRecord(Policy policy) {
        return new StreamRecord<>(Either.Left(policy));
    }

    private static StreamRecord<Either<Policy, ReplicationDecision>> trialRecord(long atMillis, boolean inTrial) {
        return new StreamRecord<>(Either.Right(ReplicationDecisionBuilder.builder()
                .service("shop")
                .epoch(1)
                .sequence(1)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis)
                .validUntilMillis(atMillis + 60_000)
                .tiers(List.of(new TierFactor("web", 2, 1, 1, false, false)))
                .mode(DecisionMode.ACTIVE)
                .reason("TRIAL_STARTED")
                .inTrial(inTrial)
                .build()));
    }

    private static List<Decision> low(KeyedTwoInputStreamOperatorTestHarness<String, ?, ?, Decision> harness) {
        return harness.extractOutputValues().stream()
                .filter(d -> d.scope().equals("shop/low"))
                .toList();
    }

    private static Decision last(List<Decision> decisions) {
        return decisions.get(decisions.size() - 1);
    }

    /** Feeds batches of one quality, a period apart, from {@code startMillis}. */
    private static void feed(
            KeyedTwoInputStreamOperatorTestHarness<String, QualityWindow, Either<Policy, ReplicationDecision>, Decision>
                    harness,
            long startMillis,
            int batches,
            double quality)
            throws Exception {
        for (int i = 1; i <= batches; i++) {
            long end = startMillis + i * PERIOD;
            harness.setProcessingTime(end);
            harness.processElement1(new StreamRecord<>(batch(end, quality), end));
        }
    }

    @Test
    void aRemovedPolicyEndsControlUntilAPolicyOfAnyVersionFollows() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(7, Optional.empty())));
            int before = low(harness).size();
            harness.processElement2(policyRecord(PolicyBook.removal("shop")));
            feed(harness, NOW, 3, 0.5);
            assertThat(harness.extractOutputValues())
                    .extracting(Decision::scope)
                    .doesNotContain("shop/removed");
            assertThat(low(harness)).hasSize(before);

            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            assertThat(low(harness)).hasSizeGreaterThan(before);
        }
    }

    @Test
    void lowQualityOfTheHighClassShutsTheLowOneUntilThatIsSeenNotToHelp() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            feed(harness, NOW, 30, 0.7);

            assertThat(low(harness)).anyMatch(d -> d.value() < 0.5);
            assertThat(last(low(harness)).value()).isEqualTo(1);
            assertThat(last(low(harness)).reason()).isEqualTo("SHEDDING_DOES_NOT_HELP");
            assertThat(harness.extractOutputValues())
                    .filteredOn(d -> d.scope().equals("shop/high"))
                    .isNotEmpty()
                    .allMatch(d -> d.value() == 1);
        }
    }

    /** One mover at a time; but a class that must be protected does not wait for a trial. */
    @Test
    void duringATrialOfReplicationNothingOpensButItShuts() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            feed(harness, NOW, 2, 0.99);
            double shut = last(low(harness)).value();
            long trial = NOW + 2 * PERIOD;
            harness.processElement2(trialRecord(trial, true));
            feed(harness, trial, 2, 0.8);
            assertThat(shut).isGreaterThan(0.05);
            assertThat(last(low(harness)).value()).isLessThan(shut);

            harness.processElement2(trialRecord(trial + 2 * PERIOD, true));
            double before = last(low(harness)).value();
            int seen = low(harness).size();
            for (int i = 0; i < 6; i++) {
                feed(harness, trial + (2 + 5 * i) * PERIOD, 5, 0.99);
                harness.processElement2(trialRecord(trial + (7 + 5 * i) * PERIOD, true));
            }
            List<Decision> during = low(harness).subList(seen, low(harness).size());
            assertThat(during).allMatch(d -> d.value() <= before);
            assertThat(during).anyMatch(d -> d.reason().equals("HELD_AWAITING_TURN"));

            harness.processElement2(trialRecord(trial + 32 * PERIOD, false));
            feed(harness, trial + 32 * PERIOD, 5, 0.99);
            assertThat(last(low(harness)).value()).isGreaterThan(before);
        }
    }

    /** Blue and green write the same windows, one of them later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void theWindowsOfASecondQualityJobChangeNoDecision(int periodsBehind) throws Exception {
        assertThat(steered(OptionalInt.of(periodsBehind))).isEqualTo(steered(OptionalInt.empty()));
    }

    /** Value, reason and time of each decision on windows of bad, then of good quality. */
    private static List<List<Object>> steered(OptionalInt secondJobsPeriodsBehind) throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            for (int i = 1; i <= 20; i++) {
                harness.setProcessingTime(NOW + i * PERIOD);
                harness.processElement1(window(i));
                int second = i - secondJobsPeriodsBehind.orElse(i);
                if (second > 0) {
                    harness.processElement1(window(second));
                }
            }
            List<List<Object>> decisions = low(harness).stream()
                    .map(d -> List.<Object>of(d.value(), d.reason(), d.mode(), d.issuedAtMillis(), d.asOfMillis()))
                    .toList();
            assertThat(decisions.stream().map(d -> d.get(0)).distinct()).hasSizeGreaterThan(3);
            return decisions;
        }
    }

    private static StreamRecord<QualityWindow> window(int number) {
        long end = NOW + number * PERIOD;
        return new StreamRecord<>(batch(end, number <= 4 ? 0.8 : 0.99), end);
    }

    @Test
    void everyPeriodRenewsTheLeaseEvenWithoutMeasurements() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            int before = low(harness).size();
            for (int i = 1; i <= 5; i++) {
                harness.setProcessingTime(NOW + i * PERIOD);
            }

            List<Decision> decisions = low(harness);
            assertThat(decisions).hasSizeGreaterThanOrEqualTo(before + 5);
            assertThat(last(decisions).mode()).isEqualTo(DecisionMode.HOLD);
            assertThat(last(decisions).validUntilMillis()).isGreaterThan(NOW + 5 * PERIOD);
        }
    }

    @Test
    void anOverrideTakesEffectAtOnceAndTheOlderPolicyIsIgnored() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            harness.processElement2(policyRecord(policy(3, Optional.of(new ManualOverride(0.25, 0, "ann", "sale")))));
            harness.processElement2(policyRecord(policy(2, Optional.empty())));

            Decision decision = last(low(harness));
            assertThat(decision.mode()).isEqualTo(DecisionMode.MANUAL);
            assertThat(decision.value()).isEqualTo(0.25);
            assertThat(decision.configVersion()).isEqualTo(3);
        }
    }

    @Test
    void sequencesRiseWithinAnEpochAndARestoreBeginsANewerOne() throws Exception {
        OperatorSubtaskState snapshot;
        List<Decision> before;
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(policy(1, Optional.empty())));
            feed(harness, NOW, 20, 0.7);
            before = low(harness);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness()) {
            harness.setup();
            harness.initializeState(snapshot);
            harness.open();
            harness.setProcessingTime(NOW + 21 * PERIOD);
            List<Decision> after = low(harness);

            assertThat(before).isSortedAccordingTo((a, b) -> a.isNewerThan(b.epoch(), b.sequence()) ? 1 : -1);
            assertThat(after).isNotEmpty();
            assertThat(after.get(0).epoch()).isGreaterThan(last(before).epoch());
            assertThat(after.get(0).value())
                    .as("goes on from the fraction in force")
                    .isEqualTo(last(before).value());
        }
    }

    @Test
    void aWindowWithoutPolicyDecidesNothing() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement1(new StreamRecord<>(batch(NOW, 0.5)));

            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    /** A batch of the low class, whose front ends state costs. */
    private static QualityWindow costs(long end) {
        return batch(end, 0.5).toBuilder()
                .queryClass("low")
                .costDeciles(List.of(new CostDecile(1, 500, 300, 1_000), new CostDecile(8, 500, 300, 9_000)))
                .build();
    }

    private static Policy byCost(long version) {
        Policy p = policy(version, Optional.empty());
        return p.withClasses(p.classes().stream()
                .map(c -> c.toBuilder().costOrder(0.9).build())
                .toList());
    }

    private static void feedByCost(
            KeyedTwoInputStreamOperatorTestHarness<String, QualityWindow, Either<Policy, ReplicationDecision>, Decision>
                    harness,
            long startMillis,
            int batches)
            throws Exception {
        for (int i = 1; i <= batches; i++) {
            long end = startMillis + i * PERIOD;
            harness.setProcessingTime(end);
            harness.processElement1(new StreamRecord<>(costs(end), end));
            // Below the objective, so that some of the low class is shed.
            harness.processElement1(new StreamRecord<>(batch(end, 0.85), end));
        }
    }

    /** Ordered decisions admit the share of the work that their fraction says. */
    private static double admittedWork(Decision d) {
        return (d.costOrder().get(0).fraction() + 9 * d.costOrder().get(1).fraction()) / 10;
    }

    @Test
    void costsOfTheLowClassOrderItsDecisions_alsoAfterARestore() throws Exception {
        OperatorSubtaskState snapshot;
        int batches = 2;
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(NOW);
            harness.processElement2(policyRecord(byCost(1)));
            feedByCost(harness, NOW, batches);
            Decision shed = last(low(harness));
            assertThat(shed.value()).isBetween(0.11, 0.99);
            assertThat(shed.costOrder()).hasSize(2);
            assertThat(admittedWork(shed)).isCloseTo(shed.value(), within(1e-9));
            assertThat(shed.costOrder().get(0).fraction()).isGreaterThan(shed.value());
            snapshot = harness.snapshot(1, NOW + batches * PERIOD);
        }
        try (var harness = harness()) {
            harness.initializeState(snapshot);
            harness.open();
            long now = NOW + batches * PERIOD + 1;
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(byCost(1)));
            harness.setProcessingTime(now + PERIOD);
            Decision renewed = last(low(harness));
            assertThat(renewed.costOrder()).hasSize(2);

            // Without new costs the order ends with the averaging window.
            harness.setProcessingTime(now + byCost(1).windowMillis() + 2 * PERIOD);
            assertThat(last(low(harness)).costOrder()).isEmpty();

            harness.processElement2(policyRecord(policy(2, Optional.empty())));
            feedByCost(harness, now + byCost(1).windowMillis() + 2 * PERIOD, 2);
            assertThat(last(low(harness)).costOrder()).isEmpty();
        }
    }
}
