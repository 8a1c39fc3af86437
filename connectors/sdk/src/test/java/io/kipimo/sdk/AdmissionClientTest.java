package io.kipimo.sdk;

import static io.kipimo.sdk.SampleService.HIGH;
import static io.kipimo.sdk.SampleService.LOW;
import static io.kipimo.sdk.SampleService.NOW;
import static io.kipimo.sdk.SampleService.admission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class AdmissionClientTest {
    private static final String SCOPE = "search/low";

    private long now = NOW;
    private final AdmissionClient client =
            new AdmissionClient(SampleService.config(), () -> java.time.Instant.ofEpochMilli(now), () -> now - NOW);

    @Test
    void withoutDecisionsEachClassHasItsCeilingForAMinuteAndThenItsSafeFraction() {
        assertThat(client.fraction(HIGH)).isEqualTo(1);
        assertThat(client.fraction(LOW)).isEqualTo(1);
        assertThat(client.inForce(LOW)).isEmpty();
        now += 60_000;
        assertThat(client.decisionAgeMillis(LOW)).as("since the client started").isEqualTo(60_000);
        assertThat(client.fraction(LOW)).isEqualTo(1);
        now += 60_000;
        assertThat(client.fraction(LOW)).isEqualTo(0.5);
    }

    @Test
    void aDecisionIsApproachedAndThenInForce() {
        Decision decision = admission(SCOPE, 1, 1, 0.1, now);
        client.offer(decision);
        now += 10_000;
        assertThat(client.fraction(LOW)).isEqualTo(0.1);
        assertThat(client.inForce(LOW)).contains(decision);
        assertThat(client.decisionAgeMillis(LOW)).isEqualTo(10_000);
        assertThat(client.refusals()).isEmpty();
    }

    private double admittedShare(double cost) {
        int admitted = 0;
        for (int i = 0; i < 10_000; i++) {
            admitted += client.admits(LOW, "query-" + i, cost) ? 1 : 0;
        }
        return admitted / 10_000.0;
    }

    @Test
    void theCostOrderAppliesToKnownCostsWhileItsFractionIsInForce() {
        Decision uniform = admission(SCOPE, 1, 1, 0.4, now);
        client.offer(DecisionBuilder.builder(uniform)
                .costOrder(List.of(new CostStep(10, 0.9), new CostStep(100, 0.1)))
                .build());
        now += 10_000;
        Offset<Double> sampling = Offset.offset(0.02);
        assertThat(admittedShare(5)).isCloseTo(0.9, sampling);
        assertThat(admittedShare(50)).isCloseTo(0.1, sampling);
        assertThat(admittedShare(5_000)).isCloseTo(0.1, sampling);
        assertThat(admittedShare(Double.NaN)).isCloseTo(0.4, sampling);
        assertThat(client.admits(LOW, "query-1", 0)).isEqualTo(client.admits(LOW, "query-1"));

        // The lease has ended, and the fraction goes to the safe one.
        now += 60_000;
        assertThat(admittedShare(50)).isCloseTo(client.fraction(LOW), sampling);
    }

    @Test
    void shadowDecisionsAreNotApplied() {
        now += 60_000;
        client.offer(SampleService.shadow(SCOPE, 0.1, now));
        now += 10_000;
        assertThat(client.decisionAgeMillis(LOW)).isEqualTo(10_000);
        assertThat(client.inForce(LOW)).isEmpty();
        assertThat(client.refusals()).containsEntry("SHADOW", 1L);
    }

    @Test
    void oldDecisionsAreIgnored() {
        now += 60_000;
        client.offer(admission(SCOPE, 1, 1, 0.1, now - 120_000));
        assertThat(client.decisionAgeMillis(LOW)).isEqualTo(60_000);
    }

    @Test
    void withoutDecisionsItReturnsToTheSafeFraction() {
        client.offer(admission(SCOPE, 1, 1, 0.1, now));
        now += 60_000;
        assertThat(client.inForce(LOW)).isEmpty();
        now += 60_000;
        assertThat(client.fraction(LOW)).isEqualTo(0.5);
    }

    @Test
    void refusedDecisionsChangeNothingAndAreCountedByReason() {
        client.offer(admission(SCOPE, 2, 1, 0.4, now));
        client.offer(admission(SCOPE, 1, 5, 0.1, now));
        client.offer(admission(SCOPE, 3, 1, 0.1, now - 120_000));
        client.offer(admission("search/unknown", 3, 1, 0.1, now));
        client.unreadable();
        now += 10_000;
        assertThat(client.fraction(LOW)).isEqualTo(0.4);
        assertThat(client.refusals())
                .containsEntry("NOT_NEWER", 1L)
                .containsEntry("EXPIRED", 1L)
                .containsEntry("OTHER_SCOPE", 1L)
                .containsEntry(AdmissionClient.UNREADABLE, 1L);
    }

    @Test
    void decisionsOfOtherServicesAreIgnored() {
        client.offer(admission("search2/low", 1, 1, 0.1, now));
        client.offer(admission("shop/low", 1, 1, 0.1, now));
        assertThat(client.fraction(LOW)).isEqualTo(1);
        assertThat(client.refusals()).isEmpty();
    }

    @Test
    void theProtectedClassIsNeverShed() {
        client.offer(admission("search/high", 1, 1, 0.1, now));
        now += 10_000;
        assertThat(client.fraction(HIGH)).isEqualTo(1);
        assertThat(client.admits(HIGH, "any")).isTrue();
    }

    @Test
    void theShareOfAdmittedQueriesIsTheFraction() {
        int admitted = 0;
        client.offer(admission(SCOPE, 1, 1, 0.5, now));
        now += 10_000;
        for (int i = 0; i < 10_000; i++) {
            admitted += client.admits(LOW, "query-" + i) ? 1 : 0;
        }
        assertThat(admitted / 10_000.0).isCloseTo(0.5, Assertions.within(0.02));
    }

    @Test
    void undeclaredClassesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.fraction("lwo"))
                .withMessageContaining("'lwo'; allowed: [high, low]");
    }
}
