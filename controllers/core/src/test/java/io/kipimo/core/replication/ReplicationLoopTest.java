package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicationLoopTest {
    private static final ReplicationLoop LOOP = new ReplicationLoop();
    private static final long WINDOW = TierWindowSamples.WINDOW_MILLIS;

    private final TierWindowSamples.Service service = new TierWindowSamples.Service(20, 7);
    private final Policy policy = TierWindowSamples.policy(3, Optional.of(TierWindowSamples.replication()));
    private ReplicationState state = ReplicationState.initial();
    private long now = 100_000_000;

    private Optional<ReplicationDecision> feed(Policy wanted, List<TailWindow> windows) {
        Optional<ReplicationDecision> decision = Optional.empty();
        for (TailWindow window : windows) {
            Step<ReplicationState, ReplicationDecision> step = LOOP.step(state, window, at(wanted));
            state = step.next();
            if (step.decision().isPresent()) {
                assertThat(decision).as("one decision for each window end").isEmpty();
                decision = step.decision();
            }
        }
        return decision;
    }

    private StepContext<Policy> at(Policy wanted) {
        return new StepContext<>(wanted, MoverTurn.FREE, 5, now);
    }

    private List<TailWindow> next(List<Integer> factors) {
        now += WINDOW;
        return service.window(now - WINDOW, factors);
    }

    private static List<Integer> factors(ReplicationDecision decision) {
        return decision.tiers().stream().map(TierFactor::factor).toList();
    }

    @Test
    void decidesOnceAllWindowsOfAnEndAreThereInWhateverOrder() throws Exception {
        Random random = new Random(5);
        List<Integer> factors = List.of(1, 1);
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            List<TailWindow> windows = new ArrayList<>(next(factors));
            Collections.shuffle(windows, random);
            ReplicationDecision decision = feed(policy, windows).orElseThrow();
            // The message can express every decision.
            assertThat(Codecs.REPLICATION_DECISION.decode(Codecs.REPLICATION_DECISION.encode(decision)))
                    .isEqualTo(decision);
            assertThat(decision.asOfMillis()).isEqualTo(now);
            assertThat(decision.validUntilMillis()).isEqualTo(now + 60_000);
            assertThat(decision.configVersion()).isEqualTo(3);
            factors = factors(decision);
            reasons.add(decision.reason());
        }
        assertThat(reasons).contains("TRIAL_STARTED", "TRIAL_KEPT", "RESTING");
        assertThat(factors.get(0)).isGreaterThan(1);
    }

    @Test
    void windowsOfTheNextEndMayComeBeforeTheLastOfThis() {
        List<TailWindow> first = next(List.of(1, 1));
        List<TailWindow> second = next(List.of(1, 1));
        assertThat(feed(policy, first.subList(0, 3))).isEmpty();
        assertThat(feed(policy, second.subList(0, 2))).isEmpty();
        assertThat(feed(policy, first.subList(3, 4))).isPresent();
        assertThat(feed(policy, second.subList(2, 4))).isPresent();
        assertThat(state.pending()).isEmpty();
        assertThat(feed(policy, first)).as("processed before").isEmpty();
    }

    @Test
    void anEndThatNeverBecomesCompleteIsForgotten() {
        for (int i = 0; i < 20; i++) {
            feed(policy, next(List.of(1, 1)).subList(0, 3));
            assertThat(state.pending()).hasSizeLessThanOrEqualTo(12);
        }
        assertThat(feed(policy, next(List.of(1, 1)))).isPresent();
        assertThat(state.pending()).isEmpty();
    }

    @Test
    void aTierThatDidNothingDecidesNothing() {
        List<TailWindow> windows = new ArrayList<>(next(List.of(1, 1)));
        TailWindow idle = windows.get(0);
        assertThat(idle.level()).isEqualTo(TailLevel.TIER);
        windows.set(
                0,
                TailWindowBuilder.builder()
                        .level(idle.level())
                        .kind(idle.kind())
                        .service(idle.service())
                        .tier(idle.tier())
                        .component("")
                        .server("")
                        .startMillis(idle.startMillis())
                        .endMillis(idle.endMillis())
                        .servers(idle.servers())
                        .counts(idle.counts())
                        .latencies(new byte[0])
                        .build());
        assertThat(feed(policy, windows)).isEmpty();
        assertThat(state.pending()).isEmpty();
    }

    @Test
    void otherTiersRestartAndAPolicyWithoutReplicationDecidesNothing() {
        feed(TierWindowSamples.overridden(4, List.of(2, 2)), next(List.of(1, 1)));
        assertThat(state.replicator().inForce()).isEqualTo(Factors.of(2, 2));
        Policy silent = TierWindowSamples.policy(5, Optional.empty());
        assertThat(feed(silent, next(List.of(2, 2)))).isEmpty();
        assertThat(LOOP.heartbeat(state, at(silent)).decision()).isEmpty();

        ReplicationPolicy other = ReplicationPolicy.builder()
                .tiers(List.of(new ReplicatedTier("only", 0, 0, 0)))
                .target(TierWindowSamples.replication().target())
                .build();
        ReplicationDecision decision = LOOP.heartbeat(state, at(TierWindowSamples.policy(6, Optional.of(other))))
                .decision()
                .orElseThrow();
        assertThat(factors(decision)).containsExactly(1);
        assertThat(decision.reason()).isEqualTo("HELD_NO_INPUT");
    }

    @Test
    void aPersonsWordAndTheKillSwitchAreSaidAtOnce() {
        Policy word = TierWindowSamples.overridden(4, List.of(3, 2));
        ReplicationDecision decision =
                LOOP.heartbeat(state, at(word)).decision().orElseThrow();
        assertThat(factors(decision)).containsExactly(3, 2);
        assertThat(decision.mode()).isEqualTo(DecisionMode.MANUAL);
        assertThat(factors(LOOP.heartbeat(state, at(word.withKillSwitch(true)))
                        .decision()
                        .orElseThrow()))
                .containsExactly(1, 1);
    }
}
