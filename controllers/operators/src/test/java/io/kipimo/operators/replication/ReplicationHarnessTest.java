package io.kipimo.operators.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.replication.TierWindowSamples;
import io.kipimo.operators.control.ControlFunction;
import io.kipimo.operators.control.NewestPolicies;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.tails.TailWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

class ReplicationHarnessTest {
    private static final long NOW = 100_000_000;
    private static final long WINDOW = TierWindowSamples.WINDOW_MILLIS;

    /** Offsets of the log increase with every claim. */
    private static long claims;

    private final TierWindowSamples.Service service = new TierWindowSamples.Service(20, 3);
    private long now = NOW;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, TailWindow, Either<Policy, Decision>, ReplicationDecision>
            harness() throws Exception {
        return harness(Map::of);
    }

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, TailWindow, Either<Policy, Decision>, ReplicationDecision>
            harness(NewestPolicies policies) throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        ControlFunction.replication((controller, claimant, now) -> ++claims, policies)),
                TailWindow::service,
                word -> word.isLeft()
                        ? word.left().service()
                        : word.right().scope().substring(0, "pages".length()),
                Types.STRING);
    }

    private static StreamRecord<Either<Policy, Decision>> policyRecord(Policy policy) {
        return new StreamRecord<>(Either.Left(policy));
    }

    private static StreamRecord<Either<Policy, Decision>> moved(long atMillis) {
        return new StreamRecord<>(Either.Right(DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("pages/low")
                .epoch(1)
                .sequence(1)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis)
                .validUntilMillis(atMillis + 60_000)
                .value(0.8)
                .previous(0.9)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .build()));
    }

    private static Policy policy() {
        return TierWindowSamples.policy(1, Optional.of(TierWindowSamples.replication()));
    }

    private static List<Integer> factors(ReplicationDecision decision) {
        return decision.tiers().stream().map(TierFactor::factor).toList();
    }

    private static ReplicationDecision last(
            KeyedTwoInputStreamOperatorTestHarness<?, ?, ?, ReplicationDecision> harness) {
        List<ReplicationDecision> all = harness.extractOutputValues();
        return all.get(all.size() - 1);
    }

    /** One window of the service under the factors decided last; tiers come in any order. */
    private void window(
            KeyedTwoInputStreamOperatorTestHarness<String, TailWindow, ?, ReplicationDecision> harness,
            List<Integer> factors)
            throws Exception {
        List<TailWindow> windows = new ArrayList<>(service.window(now, factors));
        Collections.rotate(windows, (int) (now / WINDOW % 4));
        now += WINDOW;
        harness.setProcessingTime(now);
        for (TailWindow window : windows) {
            harness.processElement1(new StreamRecord<>(window, now));
        }
    }

    private void until(
            KeyedTwoInputStreamOperatorTestHarness<String, TailWindow, ?, ReplicationDecision> harness, String reason)
            throws Exception {
        for (int i = 0; i < 500 && !last(harness).reason().equals(reason); i++) {
            window(harness, factors(last(harness)));
        }
        assertThat(last(harness).reason()).isEqualTo(reason);
    }

    @Test
    void triesFactorsKeepsWhatIsBetterAndRests() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(policy()));
            until(harness, "TRIAL_STARTED");
            ReplicationDecision trial = last(harness);
            assertThat(trial.inTrial()).isTrue();
            assertThat(trial.tier("web").orElseThrow().fallback()).isEqualTo(1);
            assertThat(trial.tier("web").orElseThrow().factor()).isGreaterThan(1);

            until(harness, "TRIAL_KEPT");
            assertThat(last(harness).evidence().orElseThrow().highMicros()).isNegative();
            until(harness, "RESTING");
            assertThat(factors(last(harness))).isEqualTo(factors(trial));
            assertThat(last(harness).inTrial()).isFalse();
        }
    }

    /** A trial survives the job: the newer attempt goes on with it, in a newer epoch. */
    @Test
    void aRestoreGoesOnWithTheTrialInANewerEpoch() throws Exception {
        OperatorSubtaskState snapshot;
        ReplicationDecision before;
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(policy()));
            until(harness, "TRIAL_STARTED");
            window(harness, factors(last(harness)));
            before = last(harness);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness()) {
            harness.setup();
            harness.initializeState(snapshot);
            harness.open();
            harness.setProcessingTime(now);
            window(harness, factors(before));
            ReplicationDecision after = last(harness);

            assertThat(after.epoch()).isGreaterThan(before.epoch());
            assertThat(after.sequence()).isPositive();
            assertThat(after.inTrial()).isTrue();
            assertThat(factors(after)).isEqualTo(factors(before));
            until(harness, "TRIAL_KEPT");
        }
    }

    /** While the job was away, a person used the kill switch. Its checkpoint still has the override from before. */
    @Test
    void aRestoreNeverDecidesByAPolicyFromBeforeTheKillSwitch() throws Exception {
        OperatorSubtaskState snapshot;
        Policy overridden = TierWindowSamples.overridden(2, List.of(2, 3));
        Policy killed = overridden.withVersion(3).withKillSwitch(true);
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(overridden));
            assertThat(factors(last(harness))).containsExactly(2, 3);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness(() -> Map.of("pages", killed))) {
            harness.setup();
            harness.initializeState(snapshot);
            harness.open();
            // The timer of the checkpoint, a window, and the policies that were read anew.
            now += 10 * WINDOW;
            harness.setProcessingTime(now);
            window(harness, List.of(1, 1));
            harness.processElement2(policyRecord(overridden));
            harness.processElement2(policyRecord(killed));
            assertThat(harness.extractOutputValues()).isNotEmpty().allSatisfy(decision -> {
                assertThat(factors(decision)).containsExactly(1, 1);
                assertThat(decision.reason()).isEqualTo("KILL_SWITCH");
                assertThat(decision.configVersion()).isEqualTo(3);
            });

            harness.processElement2(policyRecord(overridden.withVersion(4)));
            assertThat(factors(last(harness))).containsExactly(2, 3);
        }
    }

    @Test
    void aServiceWhosePolicyWasRemovedAndComesBackIsSteeredAgain() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(TierWindowSamples.overridden(7, List.of(2, 3))));
            harness.processElement2(policyRecord(PolicyBook.removal("pages")));
            assertThat(harness.numProcessingTimeTimers()).isZero();

            harness.processElement2(policyRecord(TierWindowSamples.overridden(1, List.of(3, 2))));
            assertThat(factors(last(harness))).containsExactly(3, 2);
        }
    }

    @Test
    void noTrialRunsInAdmissionsTurn() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(policy()));
            until(harness, "TRIAL_STARTED");
            harness.processElement2(moved(now));
            window(harness, factors(last(harness)));
            assertThat(last(harness).reason()).isEqualTo("ROLLED_BACK_TURN");
            assertThat(factors(last(harness))).containsExactly(1, 1);

            for (int i = 0; i < 70; i++) {
                harness.processElement2(moved(now));
                window(harness, factors(last(harness)));
            }
            assertThat(harness.extractOutputValues())
                    .filteredOn(d -> d.reason().equals("TRIAL_STARTED"))
                    .hasSize(1);
            assertThat(last(harness).reason()).isEqualTo("HELD_AWAITING_TURN");
            // The turn that is not taken again ends by itself.
            until(harness, "TRIAL_STARTED");
        }
    }

    @Test
    void withoutWindowsATrialEndsAndTheLeaseIsRenewed() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(policy()));
            until(harness, "TRIAL_STARTED");
            for (int i = 0; i < 5; i++) {
                now += WINDOW;
                harness.setProcessingTime(now);
            }
            assertThat(harness.extractOutputValues())
                    .extracting(ReplicationDecision::reason)
                    .contains("ROLLED_BACK_STALE");
            assertThat(factors(last(harness))).containsExactly(1, 1);
            assertThat(last(harness).validUntilMillis()).isEqualTo(now + 60_000);
        }
    }

    @Test
    void overridesApplyAtOnceAndAPolicyWithoutReplicationGivesNoDecisions() throws Exception {
        try (var harness = harness()) {
            harness.open();
            harness.setProcessingTime(now);
            harness.processElement2(policyRecord(TierWindowSamples.overridden(2, List.of(2, 3))));
            assertThat(factors(last(harness))).containsExactly(2, 3);
            assertThat(last(harness).mode()).isEqualTo(DecisionMode.MANUAL);
            harness.processElement2(
                    policyRecord(TierWindowSamples.overridden(3, List.of(2, 3)).withKillSwitch(true)));
            assertThat(factors(last(harness))).containsExactly(1, 1);

            int decisions = harness.extractOutputValues().size();
            harness.processElement2(policyRecord(TierWindowSamples.policy(4, Optional.empty())));
            now += 10 * WINDOW;
            harness.setProcessingTime(now);
            window(harness, List.of(1, 1));
            assertThat(harness.extractOutputValues()).hasSize(decisions);
            assertThat(harness.numProcessingTimeTimers()).isZero();
        }
    }
}
