package io.kipimo.core.quality.deadline;

import static io.kipimo.core.quality.deadline.Profiles.START;
import static io.kipimo.core.quality.deadline.Profiles.inTime;
import static io.kipimo.core.quality.deadline.Profiles.invokedAfter;
import static io.kipimo.core.quality.deadline.Profiles.late;
import static io.kipimo.core.quality.deadline.Profiles.missing;
import static io.kipimo.core.quality.deadline.Profiles.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.quality.Estimate;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class DeadlineCurvesTest {
    private static final Offset<Double> EXACTLY = within(1e-9);
    private static final long WINDOW = 10_000;

    private final DeadlinePane pane = new DeadlinePane();
    private final ContributionHistory contributions = new ContributionHistory();

    private void add(QueryProfile... profiles) {
        for (QueryProfile profile : profiles) {
            pane.add(profile, contributions);
        }
    }

    private void answered(long answered, long timedOut) {
        pane.add(SampleMeasurements.second(START, answered, timedOut));
    }

    private DeadlineCurve curve() {
        return DeadlineCurves.curve("shop", "high", "tpr@4", START, START + 60_000, WINDOW, List.of(pane));
    }

    private static DeadlinePoint at(DeadlineCurve curve, double millis) {
        return curve.points().stream()
                .filter(p -> Math.abs(p.deadlineMillis() - millis) < 1e-9)
                .findFirst()
                .orElseThrow();
    }

    private static ComponentEconomics of(DeadlineCurve curve, String component) {
        return curve.components().stream()
                .filter(c -> c.component().equals(component))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void allAnswersProfiledAreTheirOwnMeanWithoutDoubt() {
        add(profile(inTime("a", 10, 1, 2), inTime("b", 20, 3, 4)), profile(inTime("a", 10, 1, 2), late("b", 50, 3, 4)));
        answered(2, 1);

        DeadlineCurve curve = curve();

        assertThat(at(curve, 8).quality()).isEqualTo(new Estimate(0, 0, 0));
        assertThat(at(curve, 16).quality()).isEqualTo(new Estimate(0.5, 0.5, 0.5));
        assertThat(at(curve, 30).quality()).isEqualTo(new Estimate(0.75, 0.75, 0.75));
        assertThat(at(curve, 64).quality()).isEqualTo(new Estimate(1, 1, 1));
        assertThat(at(curve, 16).complete()).isZero();
        assertThat(at(curve, 30).complete()).isEqualTo(0.5);
        assertThat(at(curve, 64).complete()).isEqualTo(1);
        assertThat(curve.deadlineMillis()).isEqualTo(30);
        assertThat(curve.profiles()).isEqualTo(2);
        assertThat(curve.degradedProfiles()).isEqualTo(1);
    }

    @Test
    void pointsGoFromASixteenthOfTheDeadlineToTheWindowInQuarterPowersOfTwo() {
        add(profile(inTime("a", 10, 1)));
        answered(1, 0);

        List<Double> deadlines =
                curve().points().stream().map(DeadlinePoint::deadlineMillis).toList();

        assertThat(deadlines).isSorted().contains(2.0, 30.0, 32.0, (double) WINDOW);
        assertThat(deadlines.get(0)).isBetween(30 / 16.0, 30 / 16.0 * 1.19);
        assertThat(deadlines.get(deadlines.size() - 1)).isEqualTo(WINDOW);
    }

    @Test
    void strataCountByTheirUnsampledNumbers() {
        add(profile(inTime("a", 10, 1, 2), inTime("b", 20, 3, 4)), profile(inTime("a", 10, 1, 2), late("b", 50, 3, 4)));
        answered(1000, 100);

        DeadlineCurve curve = curve();

        assertThat(at(curve, 30).quality().mean()).isCloseTo(0.9 + 0.1 * 0.5, EXACTLY);
        assertThat(at(curve, 16).quality().mean()).isCloseTo(0.5, EXACTLY);
        assertThat(at(curve, 16).quality().low()).isLessThan(0.5);
        assertThat(at(curve, 30).complete()).isCloseTo(0.9, EXACTLY);
    }

    @Test
    void cleanAnswersAtTheDeadlineInForceNeedNoProfile() {
        add(profile(inTime("a", 10, 1, 2), late("b", 50, 3, 4)));
        answered(10, 1);

        DeadlineCurve curve = curve();

        assertThat(at(curve, 30).quality().mean()).isCloseTo(0.95, EXACTLY);
        assertThat(at(curve, 30).quality().halfWidth()).isZero();
        assertThat(at(curve, 64).quality()).isEqualTo(new Estimate(1, 1, 1));
        // Below the deadline in force, nine answers in ten are unknown.
        assertThat(at(curve, 16).quality().low()).isCloseTo(0.05, within(1e-9));
        assertThat(at(curve, 16).quality().high()).isCloseTo(0.95, within(1e-9));
        assertThat(of(curve, "b").points()).isNotEmpty().allMatch(p -> p.deadlineMillis() >= 30);
    }

    @Test
    void missingResultsCountByTheUsualContribution() {
        for (int i = 0; i < 50; i++) {
            add(profile(inTime("a", 10, 1, 2, 3), late("b", 50, 4)));
        }
        add(profile(inTime("a", 10, 1, 2, 3), missing("b")));
        answered(51, 51);

        DeadlinePoint inForce = at(curve(), 30);

        // b usually contributes a quarter (see Profiles) of the mature answer.
        assertThat(inForce.quality().mean()).isCloseTo(0.75, EXACTLY);
        assertThat(inForce.quality().low()).isCloseTo(0.75, EXACTLY);
        assertThat(inForce.quality().high()).isCloseTo((50 * 0.75 + 1) / 51, EXACTLY);
        assertThat(at(curve(), 64).quality().mean()).isCloseTo((50 + 0.75) / 51, EXACTLY);
    }

    @Test
    void economicsOfOneComponent() {
        add(
                profile(inTime("a", 10, 1, 2), inTime("b", 20, 3, 4)),
                profile(inTime("a", 10, 1, 2), late("b", 36, 3, 4)),
                profile(inTime("a", 10, 1, 2), late("b", 90, 3, 4)),
                profile(inTime("a", 10, 1, 2), inTime("b", 25, 3, 4)));
        answered(4, 2);

        ComponentEconomics b = of(curve(), "b");

        assertThat(b.invoked()).isEqualTo(4);
        assertThat(b.late()).isEqualTo(2);
        // It contributes a quarter (see Profiles) in two of four queries.
        assertThat(b.lostQuality()).isCloseTo(0.125, EXACTLY);
        assertThat(b.lostQualityPerLateMinute()).isCloseTo(0.5 / (66 / 60_000.0), within(1e-6));
        // 27 ms would have been in time, 67.5 not.
        assertThat(b.qualityIfFaster()).isCloseTo(0.875, EXACTLY);
        // A copy would be in time for every other query.
        assertThat(b.qualityIfReplicated()).isCloseTo(0.75 + 0.5 * 0.25, EXACTLY);
        assertThat(b.qualityIfDropped()).isCloseTo(0.5, EXACTLY);
        assertThat(b.points())
                .filteredOn(p -> p.deadlineMillis() == 64 || p.deadlineMillis() == 16)
                .extracting(p -> p.within() + "/" + p.quality())
                .containsExactly("0.0/0.5", "0.75/0.875");
        assertThat(of(curve(), "a").qualityIfFaster()).isCloseTo(0.75, EXACTLY);
    }

    @Test
    void beingFasterDoesNotShortenTheWaitBeforeTheInvocation() {
        add(
                profile(inTime("a", 10, 1, 2), invokedAfter(12, late("b", 24, 3, 4))),
                profile(inTime("a", 10, 1, 2), invokedAfter(13, late("b", 24, 3, 4))));
        answered(2, 2);

        // 12 + 18 ms would have been in time, 13 + 18 not.
        assertThat(of(curve(), "b").qualityIfFaster()).isCloseTo(0.75, EXACTLY);
        // Each late result is worth a quarter; they are 6 and 7 ms late.
        assertThat(of(curve(), "b").lostQualityPerLateMinute()).isCloseTo(0.5 / (13 / 60_000.0), within(1e-6));
    }

    @Test
    void withoutProfilesOrWithoutCountsThereIsNoCurve() {
        answered(10, 1);
        assertThat(curve().points()).isEmpty();
        assertThat(curve().profiles()).isZero();

        DeadlinePane uncounted = new DeadlinePane();
        uncounted.add(profile(inTime("a", 10, 1)), contributions);
        DeadlineCurve none = DeadlineCurves.curve("s", "c", "tpr@4", 1, 2, WINDOW, List.of(uncounted));
        assertThat(none.points()).isEmpty();
        assertThat(none.profiles()).isEqualTo(1);
    }

    @Test
    void adviceIsTheFirstPointWhoseLowEndKeepsTheObjective() {
        add(profile(inTime("a", 10, 1, 2), inTime("b", 20, 3, 4)), profile(inTime("a", 10, 1, 2), late("b", 50, 3, 4)));
        answered(2, 1);

        assertThat(DeadlineAdvice.shortestKeeping(curve(), 0.7).point())
                .hasValueSatisfying(p -> assertThat(p.deadlineMillis()).isCloseTo(22.627, within(1e-3)));
        assertThat(DeadlineAdvice.shortestKeeping(curve(), 1).point())
                .hasValueSatisfying(p -> assertThat(p.deadlineMillis()).isCloseTo(53.817, within(1e-3)));
    }

    @Test
    void adviceDistinguishesNoneFromUnknown() {
        add(profile(inTime("a", 10, 1), missing("b")));
        answered(1, 1);
        // A component without history counts as the whole answer.
        assertThat(DeadlineAdvice.shortestKeeping(curve(), 0.9).outcome())
                .isEqualTo(DeadlineAdvice.DeadlineOutcome.CANNOT_TELL);

        DeadlineCurve none = DeadlineCurves.curve("s", "c", "m", 1, 2, WINDOW, List.of());
        assertThat(DeadlineAdvice.shortestKeeping(none, 0.9).outcome())
                .isEqualTo(DeadlineAdvice.DeadlineOutcome.CANNOT_TELL);

        DeadlineCurve low = DeadlineCurveBuilder.builder()
                .service("s")
                .queryClass("c")
                .metric("m")
                .startMillis(1)
                .endMillis(2)
                .deadlineMillis(30)
                .profiles(9)
                .degradedProfiles(9)
                .points(List.of(new DeadlinePoint(30, new Estimate(0.1, 0.2, 0.3), 0)))
                .build();
        assertThat(DeadlineAdvice.shortestKeeping(low, 0.9).outcome()).isEqualTo(DeadlineAdvice.DeadlineOutcome.NONE);
    }

    @Test
    void profilesByAnotherMetricAreNoneOfThisCurve() {
        add(profile(inTime("a", 10, 1)));
        answered(1, 0);

        DeadlineCurve other = DeadlineCurves.curve("s", "c", "ndcg@4", 1, 2, WINDOW, List.of(pane));

        assertThat(other.profiles()).isZero();
    }
}
