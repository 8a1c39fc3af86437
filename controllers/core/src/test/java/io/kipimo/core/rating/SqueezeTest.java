package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.guard.Step;
import io.kipimo.core.rating.SqueezeDecision.BackOff;
import io.kipimo.core.rating.SqueezeDecision.Raise;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Three servers of 400 requests a second that share 600. */
class SqueezeTest {
    private static final double TRAFFIC = 600;
    private static final double CAPACITY = 400;
    private static final Squeeze.Squeezing SETTINGS = new Squeeze.Squeezing(
            new AgreementTerms(0.95, 50_000, 0, 0, 0.01, 10_000), 0.25, 0.9, 2_000, 10_000, 1e-6, 5_000);

    private final List<Double> shares = new ArrayList<>();
    private SqueezeState state = SqueezeState.start(1 / 3.0, 0);
    private long nowMillis;

    /** One second of {@code perSecond} requests; all are late above the capacity. */
    private static ExperimentCounts second(double perSecond) {
        long requests = Math.round(perSecond);
        return ExperimentCounts.of(requests, perSecond > CAPACITY ? 0 : requests, 0, 0, 0, 0, 0);
    }

    private Optional<SqueezeDecision> step(SqueezeInput heard) {
        nowMillis += 1_000;
        Step<SqueezeState, SqueezeDecision> step = Squeeze.next(SETTINGS, state, heard, nowMillis);
        state = step.next();
        return step.decision();
    }

    private Optional<SqueezeDecision> step(ExperimentCounts target, ExperimentCounts rest) {
        return step(new SqueezeInput(true, target, rest, false, true));
    }

    /** Runs until the end. */
    private BackOff run() {
        shares.add(state.share());
        while (true) {
            double share = state.share();
            SqueezeDecision decision = step(second(share * TRAFFIC), second((1 - share) / 2 * TRAFFIC))
                    .orElse(null);
            if (decision instanceof Raise raise) {
                shares.add(raise.share());
                assertThat(raise.passed().verdict()).isEqualTo(Verdict.PASSED);
                assertThat(raise.passed().measuredMillis()).isEqualTo(SETTINGS.stepMillis());
            } else if (decision instanceof BackOff end) {
                return end;
            }
        }
    }

    @Test
    void raisesTheShareInStepsUntilTheAgreementBreaksAndBacksOffBeforeTheStepIsOver() {
        BackOff end = run();

        assertThat(end.ending()).isEqualTo(SqueezeEnding.BROKEN);
        assertThat(end.last())
                .hasValueSatisfying(r -> assertThat(r.share() * TRAFFIC).isGreaterThan(CAPACITY));
        double passed = shares.get(shares.size() - 2);
        assertThat(passed * TRAFFIC).isBetween(CAPACITY / 1.25, CAPACITY);
        assertThat(nowMillis - state.sinceMillis()).isLessThan(SETTINGS.stepMillis() / 2);
        for (int i = 1; i < shares.size(); i++) {
            assertThat(shares.get(i)).isLessThanOrEqualTo(1.2501 * shares.get(i - 1));
        }
    }

    @Test
    void neverTakesAllTrafficFromTheOthers() {
        while (true) {
            SqueezeDecision decision = step(second(100), second(100)).orElse(null);
            if (decision instanceof Raise raise) {
                assertThat(raise.share()).isLessThanOrEqualTo(SETTINGS.mostShare());
            } else if (decision instanceof BackOff end) {
                assertThat(end.ending()).isEqualTo(SqueezeEnding.MOST_SHARE);
                assertThat(end.last().orElseThrow().verdict()).isEqualTo(Verdict.PASSED);
                return;
            }
        }
    }

    @Test
    void endsWhenAnotherServerBreaksTheAgreement() {
        Optional<SqueezeDecision> decision = Optional.empty();
        while (decision.isEmpty()) {
            decision = step(second(100), second(2 * CAPACITY));
        }

        assertThat(((BackOff) decision.orElseThrow()).ending()).isEqualTo(SqueezeEnding.REST_BROKEN);
        assertThat(nowMillis).isLessThanOrEqualTo(SETTINGS.settleMillis());
    }

    @Test
    void endsAtOnceWhenAnotherServerGoesDownOrRequestsPileUp() {
        assertThat(step(new SqueezeInput(true, second(100), second(100), false, false)))
                .contains(new BackOff(SqueezeEnding.REST_DOWN, Optional.empty()));
        assertThat(step(new SqueezeInput(true, second(100), second(100), true, true)))
                .get()
                .isInstanceOfSatisfying(
                        BackOff.class, b -> assertThat(b.ending()).isEqualTo(SqueezeEnding.BROKEN));
    }

    @Test
    void manyOpenRequestsCannotBeAnsweredInTime() {
        assertThat(SqueezeInput.drowns(60, 400, 50_000)).isTrue();
        assertThat(SqueezeInput.drowns(20, 400, 50_000)).isFalse();
        assertThat(SqueezeInput.drowns(17, 0, 50_000)).isTrue();
    }

    @Test
    void endsWithoutReports() {
        assertThat(step(second(100), second(100))).isEmpty();
        Optional<SqueezeDecision> decision = Optional.empty();
        while (decision.isEmpty()) {
            decision = step(SqueezeInput.NOTHING);
        }

        assertThat(((BackOff) decision.orElseThrow()).ending()).isEqualTo(SqueezeEnding.BLIND);
        assertThat(nowMillis).isLessThanOrEqualTo(SETTINGS.patienceMillis() + 3_000);
    }

    /** The other servers have the traffic, or there is none. */
    @Test
    void aFewRequestsDoNotPassAShare() {
        Optional<SqueezeDecision> decision = Optional.empty();
        while (decision.isEmpty()) {
            decision = step(second(1), second(100));
        }

        assertThat(((BackOff) decision.orElseThrow()).ending()).isEqualTo(SqueezeEnding.BLIND);
    }

    @Test
    void qualityThatIsPromisedMustBeMeasured() {
        Squeeze.Squeezing quality = new Squeeze.Squeezing(
                new AgreementTerms(0.95, 50_000, 0, 0.9, 0.01, 10_000), 0.25, 0.9, 2_000, 10_000, 1e-6, 5_000);
        Step<SqueezeState, SqueezeDecision> step = null;
        for (long now = 1_000; step == null || step.decision().isEmpty(); now += 1_000) {
            step = Squeeze.next(quality, state, new SqueezeInput(true, second(100), second(100), false, true), now);
            state = step.next();
        }

        assertThat(((BackOff) step.decision().orElseThrow()).ending()).isEqualTo(SqueezeEnding.BLIND);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new Squeeze.Squeezing(SETTINGS.agreement(), 0.25, 1, 0, 1, 1e-6, 1))
                .hasMessage("mostShare is 1.0; allowed: 0.01..0.99");
    }
}
