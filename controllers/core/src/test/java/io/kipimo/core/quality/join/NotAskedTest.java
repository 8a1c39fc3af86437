package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.notAsked;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.timedOut;
import static io.kipimo.core.quality.join.Events.trimmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.ProfiledResult;
import io.kipimo.core.quality.merge.AttributedLosses;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Measurements of answers whose front end chose not to ask some components. */
class NotAskedTest {
    private static final Optional<Double> TENTH = Optional.of(0.1);

    private QualitySettings settings = QualitySettings.of(Events.policy());
    private final OpenQuery query = new OpenQuery();

    private Optional<Measurement> take(LoggedEvent event) {
        assertThat(Events.accept(query, event, settings)).isIn(JoinResult.JOINED, null);
        return QueryJoin.measureIfComplete(KEY, query, settings);
    }

    private void replaying() {
        settings = QualitySettings.of(Events.policy().toBuilder()
                .merge(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .build());
    }

    private static ComponentShare share(Measurement measurement, String component) {
        return measurement.components().stream()
                .filter(c -> c.component().equals(component))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTrimmedAnswerLosesByConstructionWhatItsFrontEndStated() {
        Measurement measurement =
                take(trimmed(TENTH, inTime("a"), inTime("b"), notAsked("c"))).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.degraded()).isFalse();
        assertThat(measurement.scores()).hasSize(2).allMatch(s -> s.low() == 0.9 && s.high() == 0.9);
        assertThat(measurement.notAskedLoss()).contains(0.1);
        assertThat(share(measurement, "c").lostQuality()).isZero();
        assertThat(share(measurement, "c").missing()).isFalse();
    }

    @Test
    void withoutAStatedLossTheQualityMayBeAnything() {
        Measurement measurement =
                take(trimmed(Optional.empty(), inTime("a"), notAsked("c"))).orElseThrow();

        assertThat(measurement.scores()).allMatch(s -> s.low() == 0 && s.high() == 1);
        assertThat(measurement.notAskedLoss()).isEmpty();
        assertThat(measurement.deliberateLoss()).isEqualTo(1);
    }

    @Test
    void lateAndDeliberateLossMultiplyAndOnlyTheLateComponentIsBlamed() {
        assertThat(take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c"))))
                .isEmpty();
        assertThat(take(online("a", 1, 3, 5, 7))).isEmpty();
        Measurement measurement = take(mature("b", 2, 4, 6, 8)).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.COMPLETE);
        assertThat(measurement.degraded()).isTrue();
        assertThat(measurement.scores().get(0).low()).isCloseTo(0.45, within(1e-12));
        assertThat(measurement.scores().get(0).high()).isCloseTo(0.45, within(1e-12));
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.45, within(1e-12));
        assertThat(share(measurement, "c").lostQuality()).isZero();
        assertThat(share(measurement, "c").contribution()).isZero();
        assertThat(AttributedLosses.of(measurement)).containsOnlyKeys("b");
        assertThat(measurement.ofLateness(measurement.scores().get(0)).low()).isCloseTo(0.55, within(1e-12));
    }

    /** For example the result of a hedge. It was in neither of the compared answers. */
    @Test
    void aResultOfAComponentThatWasNotAskedDoesNotCount() {
        take(online("c", 1, 2, 3, 4));
        take(mature("c", 1, 2, 3, 4));
        take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        take(online("a", 1, 3, 5, 7));
        Measurement measurement = take(mature("b", 2, 4, 6, 8)).orElseThrow();

        assertThat(measurement.scores().get(0).high()).isCloseTo(0.45, within(1e-12));
        assertThat(share(measurement, "c").contribution()).isZero();
        assertThat(query.unnamedResults()).isZero();
    }

    @Test
    void aMissingResultLeavesAnIntervalBelowWhatWasAsked() {
        take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        take(online("a", 1, 3));
        Measurement expired = Events.expire(KEY, query, settings).orElseThrow();
        ContributionBounds bounds = new ContributionBounds();
        for (int i = 0; i < 100; i++) {
            bounds.learn("b", 0.5, START);
        }
        Measurement measurement = bounds.complete(expired, START + 100_000);

        assertThat(expired.completeness()).isEqualTo(Completeness.EXPIRED);
        assertThat(share(measurement, "b").missing()).isTrue();
        assertThat(share(measurement, "c").missing()).isFalse();
        assertThat(measurement.scores().get(0).high()).isCloseTo(0.9, within(1e-12));
        assertThat(measurement.scores().get(0).low()).isCloseTo(0.45, within(1e-12));
    }

    @Test
    void anInTimeResultThatNeverCameRaisesTheHighEndToWhatWasAsked() {
        take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        take(mature("b", 1, 3));
        Measurement expired = Events.expire(KEY, query, settings).orElseThrow();

        Measurement measurement = new ContributionBounds().complete(expired, START);

        assertThat(measurement.scores().get(0).high()).isEqualTo(0.9);
        assertThat(measurement.scores().get(0).low()).isZero();
    }

    @Test
    void anExpiredAnswerWithoutStatedLossKeepsItsLowEnd() {
        take(trimmed(Optional.empty(), inTime("a"), timedOut("b"), notAsked("c")));
        take(online("a", 1, 3));
        Measurement expired = Events.expire(KEY, query, settings).orElseThrow();
        ContributionBounds bounds = new ContributionBounds();
        for (int i = 0; i < 100; i++) {
            bounds.learn("b", 0, START);
        }

        assertThat(bounds.complete(expired, START + 100_000).scores().get(0).low())
                .isZero();
    }

    @Test
    void whatWasNotAskedTeachesNoContribution() {
        take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        take(online("a", 1, 3, 5, 7));
        Measurement complete = take(mature("b", 2, 4, 6, 8)).orElseThrow();
        ContributionBounds bounds = new ContributionBounds();
        for (int i = 0; i < 100; i++) {
            Measurement unused = bounds.complete(complete, START);
        }

        assertThat(bounds.bound("b", START + 100_000)).isEqualTo(0.5);
        assertThat(bounds.bound("c", START + 100_000)).as("nothing is known").isEqualTo(1);
    }

    @Test
    void anAnswerThatAskedNobodyIsNotMeasurable() {
        Measurement measurement =
                take(trimmed(TENTH, notAsked("a"), notAsked("b"))).orElseThrow();

        assertThat(measurement.completeness()).isEqualTo(Completeness.NOT_MEASURABLE);
        assertThat(measurement.unmeasurable()).contains(Unmeasurable.NO_COMPONENTS);
    }

    @Test
    void aReplayShowsTheWholeLossOfWhichTheStatedPartIsDeliberate() {
        replaying();
        take(trimmed(items(1, 3, 5, 7), TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        Measurement measurement = take(answer(AnswerKind.REPLAYED, items(1, 2, 3, 4), START + 40, inTime("a")))
                .orElseThrow();

        assertThat(measurement.scores().get(0).low()).isEqualTo(0.5);
        assertThat(measurement.notAskedLoss()).contains(0.1);
        assertThat(share(measurement, "b").lostQuality()).isCloseTo(0.4, within(1e-12));
        assertThat(share(measurement, "c").lostQuality()).isZero();
    }

    @Test
    void aReplayThatDidNotAskEverythingIsNoMatureAnswer() {
        replaying();
        take(trimmed(items(1, 3, 5, 7), TENTH, inTime("a"), timedOut("b"), notAsked("c")));

        assertThat(take(answer(AnswerKind.REPLAYED, items(1, 2, 3, 4), START + 40, inTime("a"), notAsked("c"))))
                .isEmpty();
        Measurement expired = Events.expire(KEY, query, settings).orElseThrow();
        assertThat(expired.scores().get(0).low()).isZero();
        assertThat(expired.scores().get(0).high()).isEqualTo(0.9);
        assertThat(share(expired, "b").missing()).isTrue();
        assertThat(share(expired, "c").missing()).isFalse();
    }

    /** No deadline would have brought its result, and it is not late at any. */
    @Test
    void aProfileIsOfTheComponentsThatWereAsked() {
        take(trimmed(TENTH, inTime("a"), timedOut("b"), notAsked("c")));
        query.features = Features.of(7);
        take(online("a", 1, 3, 5, 7));
        Optional<Measurement> measurement = take(mature("b", 2, 4, 6, 8));

        assertThat(query.hasAllResults()).isTrue();
        ProfileSubject subject = ProfileSubject.of(KEY, query, measurement).orElseThrow();
        assertThat(subject.results()).extracting(ProfiledResult::component).containsExactly("a", "b");
        assertThat(subject.features()).as("nothing is learned of it").isEqualTo(Features.NONE);
    }
}
