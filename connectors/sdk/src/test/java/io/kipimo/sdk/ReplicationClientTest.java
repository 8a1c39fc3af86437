package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicationClientTest {
    private static final long LEASE = 60_000;

    private long wall = NOW;
    private long monotonic = 5_000;
    private final ReplicationClient client =
            new ReplicationClient(SampleService.config(), () -> Instant.ofEpochMilli(wall), () -> monotonic);

    private static ReplicationDecision decision(
            String service, long epoch, long sequence, int factor, long at, DecisionMode mode) {
        return ReplicationDecisionBuilder.builder()
                .service(service)
                .epoch(epoch)
                .sequence(sequence)
                .issuedAtMillis(at)
                .asOfMillis(at - 1_000)
                .validUntilMillis(at + LEASE)
                .tiers(List.of(
                        new TierFactor("web", factor, 1, 2, false, false),
                        new TierFactor("store", 1, 1, 1, false, false)))
                .mode(mode)
                .reason("TRIAL_STARTED")
                .inTrial(true)
                .build();
    }

    private ReplicationDecision active(long epoch, long sequence, int factor) {
        return decision("search", epoch, sequence, factor, wall, DecisionMode.ACTIVE);
    }

    private void pass(long millis) {
        wall += millis;
        monotonic += millis;
    }

    @Test
    void withoutDecisionsThereAreNoCopies() {
        assertThat(client.factor("web")).isEqualTo(1);
        assertThat(client.inForce()).isEmpty();
        assertThat(client.decisionAgeMillis()).isEmpty();
    }

    @Test
    void lateCopiesOfATierAreBoundedByItsOwnRequests() {
        for (int i = 0; i < 200; i++) {
            client.lateCopies("web").onRequest();
        }
        assertThat(client.lateCopies("web").take(20)).isEqualTo(10);
        assertThat(client.lateCopies("web").withheld()).isEqualTo(10);
        assertThat(client.lateCopies("store").take(1)).isZero();
    }

    @Test
    void theNewestDecisionIsInForceAndOlderEpochsAreFenced() {
        client.offer(active(7, 3, 2));
        client.offer(active(8, 1, 3));
        client.offer(active(7, 4, 4));
        assertThat(client.factor("web")).isEqualTo(3);
        assertThat(client.factor("store")).isEqualTo(1);
        assertThat(client.factor("unheard of")).isEqualTo(1);
        assertThat(client.inForce().orElseThrow().epoch()).isEqualTo(8);
        assertThat(client.refusals()).isEqualTo(Map.of("NOT_NEWER", 1L));
    }

    @Test
    void whenDecisionsCeaseATrialEndsAndLaterAllCopies() {
        client.offer(active(1, 1, 4));
        pass(LEASE - 1);
        assertThat(client.factor("web")).isEqualTo(4);
        pass(1);
        assertThat(client.factor("web")).as("proven").isEqualTo(2);
        assertThat(client.inForce()).isEmpty();
        assertThat(client.decisionAgeMillis()).hasValue(LEASE);
        pass(300_000);
        assertThat(client.factor("web")).isEqualTo(1);
    }

    @Test
    void aClockThatIsSetBackDoesNotExtendLeases() {
        client.offer(active(1, 1, 4));
        monotonic += LEASE;
        wall -= 3_600_000;
        assertThat(client.factor("web")).isEqualTo(2);
    }

    @Test
    void oldAndIneffectiveDecisionsAreRefused() {
        client.offer(decision("search", 1, 1, 3, wall - LEASE, DecisionMode.ACTIVE));
        client.offer(decision("search", 1, 2, 3, wall, DecisionMode.SHADOW));
        client.offer(decision("other", 9, 9, 3, wall, DecisionMode.ACTIVE));
        ReplicationDecision blind = active(1, 3, 3);
        client.offer(ReplicationDecisionBuilder.builder()
                .service(blind.service())
                .epoch(blind.epoch())
                .sequence(blind.sequence())
                .issuedAtMillis(wall)
                .asOfMillis(wall - 300_001)
                .validUntilMillis(wall + LEASE)
                .tiers(blind.tiers())
                .mode(blind.mode())
                .reason(blind.reason())
                .build());
        client.unreadable();
        assertThat(client.factor("web")).isEqualTo(1);
        assertThat(client.refusals()).isEqualTo(Map.of("EXPIRED", 1L, "SHADOW", 1L, "STALE", 1L, "UNREADABLE", 1L));
    }
}
