package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgementTest {
    private static final long NOW = 1_700_000_000_000L;

    /** A minute, the expiration window of 10 s, and three slides of 10 s. */
    private static final long PATIENCE = 100_000;

    private static final ClassPolicy HIGH =
            ClassPolicy.builder().name("high").priority(0).objective(0.9).build();
    private static final Policy POLICY = Policy.builder()
            .service("shop")
            .version(1)
            .metrics(List.of("tpr@10"))
            .classes(List.of(HIGH))
            .build();

    private static QualityWindow window(long ageMillis, Optional<Estimate> quality, long bad) {
        return QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@10")
                .startMillis(NOW - ageMillis - 60_000)
                .endMillis(NOW - ageMillis)
                .answered(100)
                .samples(60)
                .estimate(quality)
                .unmeasurable(bad == 0 ? Map.of() : Map.of(Unmeasurable.FAILED_ANSWER, bad))
                .objective(0.9)
                .build();
    }

    private static ClassEvidence evidence(Optional<QualityWindow> window, long queriesAgeMillis, long readAgeMillis) {
        return new ClassEvidence(
                Optional.of(POLICY),
                Optional.of(HIGH),
                window,
                Optional.empty(),
                DecisionTrail.NONE,
                NOW - queriesAgeMillis,
                NOW - readAgeMillis);
    }

    private static Cause only(ClassEvidence evidence) {
        return Judgement.of(evidence, NOW).causes().get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "0.9, 0.95, 0.99, FINE",
        "0.8999, 0.95, 0.99, UNCERTAIN",
        "0.5, 0.6, 0.9, UNCERTAIN",
        "0.5, 0.6, 0.8999, WRONG"
    })
    void theEndsOfTheIntervalDecide(double low, double mean, double high, Verdict verdict) {
        Estimate quality = new Estimate(low, mean, high);

        assertThat(Verdict.of(Optional.of(quality), 0.9)).isEqualTo(verdict);
        assertThat(Judgement.of(evidence(Optional.of(window(0, Optional.of(quality), 0)), 0, 0), NOW)
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void theAbsenceOfQueriesIsKnownOnlyWhileSomebodyReads() {
        assertThat(only(evidence(Optional.empty(), 600_000, 0))).isEqualTo(Cause.NO_QUERIES);
        assertThat(only(evidence(Optional.empty(), 600_000, 60_000))).isEqualTo(Cause.NOT_READ);
        assertThat(only(evidence(Optional.empty(), 1_000, 0))).isEqualTo(Cause.NO_WINDOW);
    }

    @Test
    void aLeaseHasEndedOnlyForThoseWhoWouldSeeANewerDecision() {
        Decision ended = DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("shop/high")
                .issuedAtMillis(NOW - 120_000)
                .validUntilMillis(NOW - 60_000)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .build();
        ClassEvidence evidence = ClassEvidenceBuilder.builder(evidence(Optional.empty(), 0, 0))
                .control(DecisionTrail.NONE.with(ended))
                .build();
        assertThat(only(evidence)).isEqualTo(Cause.LEASE_ENDED);
        assertThat(only(ClassEvidenceBuilder.builder(evidence)
                        .readUntilMillis(NOW - 31_000)
                        .build()))
                .isEqualTo(Cause.NOT_READ);
    }

    @Test
    void anObjectiveOfThePolicyCountsAtOnce() {
        ClassEvidence evidence = evidence(Optional.of(window(0, Optional.of(new Estimate(0.95, 0.96, 0.97)), 0)), 0, 0);
        assertThat(only(evidence)).isEqualTo(Cause.KEEPS_OBJECTIVE);
        ClassPolicy stricter =
                ClassPolicy.builder().name("high").objective(0.99).build();
        assertThat(only(ClassEvidenceBuilder.builder(evidence)
                        .queryClass(Optional.of(stricter))
                        .build()))
                .isEqualTo(Cause.BELOW_OBJECTIVE);
    }

    /** Whatever the figures: FINE has a recent window whose low end keeps the objective. */
    @Property(seed = "20261126")
    void fineNeedsRecentEvidence(
            @ForAll @LongRange(max = 600_000) long windowAge,
            @ForAll @LongRange(max = 600_000) long queriesAge,
            @ForAll @LongRange(max = 600_000) long readAge,
            @ForAll @DoubleRange(min = 0, max = 1) double low,
            @ForAll @DoubleRange(min = 0, max = 1) double more,
            @ForAll @IntRange(max = 100) int bad,
            @ForAll boolean isEstimated) {
        double high = low + (1 - low) * more;
        Optional<Estimate> quality =
                isEstimated ? Optional.of(new Estimate(low, Math.min(high, (low + high) / 2), high)) : Optional.empty();
        Judgement judgement =
                Judgement.of(evidence(Optional.of(window(windowAge, quality, bad)), queriesAge, readAge), NOW);

        boolean isRecent = windowAge <= PATIENCE;
        boolean isRead = readAge <= 30_000;
        assertThat(judgement.window().isPresent()).isEqualTo(isRecent);
        assertThat(judgement.causes()).isNotEmpty().allMatch(cause -> cause.verdict() == judgement.verdict());
        switch (judgement.verdict()) {
            case FINE ->
                assertThat(isRead && isRecent && isEstimated && low >= 0.9 && bad <= 50)
                        .isTrue();
            case UNCERTAIN ->
                assertThat(isRead && isRecent && isEstimated && low < 0.9 && high >= 0.9)
                        .isTrue();
            case WRONG ->
                assertThat(isRead && isRecent && isEstimated && high < 0.9).isTrue();
            case IDLE -> assertThat(isRead && !isRecent).isTrue();
            case UNKNOWN ->
                assertThat(isRead && isRecent && isEstimated && bad <= 50).isFalse();
        }
    }
}
