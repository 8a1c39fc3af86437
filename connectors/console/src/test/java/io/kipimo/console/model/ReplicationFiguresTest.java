package io.kipimo.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicationFiguresTest {
    private static final long NOW = 1_000_000_000_000L;

    private final ConsoleModel model = new ConsoleModel();
    private long sequence;

    @BeforeEach
    void connect() {
        model.connected(NOW);
    }

    private JsonNode replication() throws Exception {
        return new ObjectMapper()
                .readTree(model.service(Records.SERVICE, NOW).orElseThrow())
                .path("replication");
    }

    private void policy(Optional<FactorOverride> override) {
        ReplicationPolicy wanted = ReplicationPolicy.defaults(List.of(new ReplicatedTier("web", 0, 0, 0)))
                .withOverride(override);
        model.policy(Records.policy().withReplication(Optional.of(wanted)));
    }

    private void decide(DecisionMode mode, ReplicationReason reason, int factor, int proven) {
        decide(mode, reason, factor, proven, Optional.empty());
    }

    private void decide(
            DecisionMode mode, ReplicationReason reason, int factor, int proven, Optional<TrialEvidence> evidence) {
        model.replication(ReplicationDecisionBuilder.builder()
                .service(Records.SERVICE)
                .epoch(1)
                .sequence(++sequence)
                .issuedAtMillis(NOW + sequence)
                .asOfMillis(NOW)
                .validUntilMillis(NOW + 60_000)
                .tiers(List.of(new TierFactor("web", factor, proven, proven, false, false)))
                .mode(mode)
                .reason(reason.name())
                .inTrial(factor != proven)
                .requests(100)
                .measuredMicros(20_000)
                .evidence(evidence)
                .configVersion(1)
                .build());
    }

    private List<String> events() throws Exception {
        List<String> reasons = new ArrayList<>();
        replication().path("events").forEach(e -> reasons.add(e.path("reason").asText()));
        return reasons;
    }

    @Test
    void withoutReplicationNothingIsShown() throws Exception {
        model.policy(Records.policy());
        assertThat(replication().isNull()).isTrue();
        policy(Optional.empty());
        assertThat(replication().path("decidedAtMillis").isNull()).isTrue();
        assertThat(replication().path("shadow").asBoolean()).isTrue();
    }

    @Test
    void eventsAreKeptAndRenewalsAreNot() throws Exception {
        policy(Optional.empty());
        decide(DecisionMode.HOLD, ReplicationReason.MEASURING_BASELINE, 1, 1);
        decide(DecisionMode.ACTIVE, ReplicationReason.TRIAL_STARTED, 2, 1);
        decide(DecisionMode.HOLD, ReplicationReason.TRIAL_RUNNING, 2, 1);
        assertThat(replication().path("turn").asText()).isEqualTo("replication");
        decide(
                DecisionMode.ACTIVE,
                ReplicationReason.TRIAL_KEPT,
                2,
                2,
                Optional.of(TrialEvidenceBuilder.builder()
                        .from(List.of(1))
                        .to(List.of(2))
                        .baselineRequests(50)
                        .trialRequests(60)
                        .baselineMicros(9_000)
                        .trialMicros(5_000)
                        .changeMicros(-4_000)
                        .lowMicros(-5_000)
                        .highMicros(-3_000)
                        .build()));
        decide(DecisionMode.HOLD, ReplicationReason.SEARCH_ENDED, 2, 2);
        decide(DecisionMode.HOLD, ReplicationReason.RESTING, 2, 2);
        assertThat(events()).containsExactly("SEARCH_ENDED", "TRIAL_KEPT", "TRIAL_STARTED");
        JsonNode kept = replication().path("events").get(1);
        assertThat(kept.path("evidence").path("change").asDouble()).isEqualTo(-4);
        assertThat(kept.path("evidence").path("predicted").isNull()).isTrue();
        assertThat(kept.path("reasonText").asText()).isEqualTo(ReplicationReason.TRIAL_KEPT.sentence());
        assertThat(replication().path("turn").asText()).isEqualTo("nobody");
        assertThat(replication().path("tiers").get(0).path("factor").asInt()).isEqualTo(2);
    }

    @Test
    void repeatedDecisionsAreOneEvent() throws Exception {
        policy(Optional.empty());
        for (int i = 0; i < 3; i++) {
            decide(DecisionMode.SHADOW, ReplicationReason.TRIAL_STARTED, 2, 1);
            decide(DecisionMode.HOLD, ReplicationReason.RESTING, 1, 1);
        }
        assertThat(events()).containsExactly("TRIAL_STARTED");
        decide(DecisionMode.MANUAL, ReplicationReason.OVERRIDE, 3, 3);
        decide(DecisionMode.MANUAL, ReplicationReason.OVERRIDE, 3, 3);
        assertThat(events()).containsExactly("OVERRIDE", "TRIAL_STARTED");
    }

    @Test
    void aWaitingTrialShowsThatAdmissionHoldsTheLock() throws Exception {
        policy(Optional.empty());
        decide(DecisionMode.HOLD, ReplicationReason.HELD_AWAITING_TURN, 1, 1);
        assertThat(replication().path("turn").asText()).isEqualTo("admission");
    }

    @Test
    void anActiveOverrideIsShownAndOlderDecisionsAreNot() throws Exception {
        policy(Optional.of(new FactorOverride(List.of(3), NOW + 1_000, "ann", "drill")));
        sequence = 7;
        decide(DecisionMode.MANUAL, ReplicationReason.OVERRIDE, 3, 3);
        sequence = 2;
        decide(DecisionMode.ACTIVE, ReplicationReason.TRIAL_STARTED, 2, 1);
        assertThat(replication().path("override").path("by").asText()).isEqualTo("ann");
        assertThat(replication().path("reason").asText()).isEqualTo("OVERRIDE");
        policy(Optional.of(new FactorOverride(List.of(3), NOW - 1_000, "ann", "drill")));
        assertThat(replication().path("override").isNull()).isTrue();
    }

    @Test
    void onlyTheLastEventsAreKept() throws Exception {
        policy(Optional.empty());
        for (int i = 0; i < ReplicationFigures.EVENTS + 5; i++) {
            decide(DecisionMode.ACTIVE, ReplicationReason.TRIAL_STARTED, 2, 1);
        }
        assertThat(events()).hasSize(ReplicationFigures.EVENTS);
    }
}
