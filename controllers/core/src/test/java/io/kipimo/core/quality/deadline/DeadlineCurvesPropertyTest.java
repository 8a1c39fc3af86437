package io.kipimo.core.quality.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DeadlineCurvesPropertyTest {
    @Property(tries = 200, seed = "4711")
    void withEveryAnswerProfiledACurveIsTheirPlainMean(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int queries) {
        Random random = new Random(seed);
        List<QueryProfile> profiles = profiles(random, queries, false);
        DeadlineCurve curve = curve(profiles, random, 1 + random.nextInt(4));

        for (DeadlinePoint point : curve.points()) {
            double mean = profiles.stream()
                    .mapToDouble(p -> p.qualityAt(point.deadlineMillis()))
                    .average()
                    .orElseThrow();
            assertThat(point.quality().mean()).isCloseTo(mean, within(1e-9));
            assertThat(point.quality().halfWidth()).isCloseTo(0, within(1e-9));
        }
        // The true positive rate of top-k answers never falls when late results are added.
        assertThat(curve.points().get(curve.points().size() - 1).quality().mean())
                .isCloseTo(1, within(1e-9));
    }

    @Property(tries = 200, seed = "4711")
    void everythingIsInItsRangeWhateverIsMissing(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int queries) {
        Random random = new Random(seed);
        DeadlineCurve curve = curve(profiles(random, queries, true), random, 3);

        assertThat(curve.points())
                .isSortedAccordingTo((a, b) -> Double.compare(a.deadlineMillis(), b.deadlineMillis()))
                .allMatch(p -> p.complete() >= 0 && p.complete() <= 1);
        assertThat(curve.components()).allSatisfy(c -> {
            assertThat(c.late()).isLessThanOrEqualTo(c.invoked());
            assertThat(List.of(c.qualityIfDropped(), c.qualityIfFaster(), c.qualityIfReplicated()))
                    .allMatch(q -> q >= 0 && q <= 1);
            assertThat(c.qualityIfDropped()).isLessThanOrEqualTo(c.qualityIfFaster() + 1e-9);
            assertThat(c.points())
                    .allMatch(p -> p.within() >= 0 && p.within() <= 1)
                    .allMatch(p -> p.quality() >= 0 && p.quality() <= 1);
        });
    }

    private static DeadlineCurve curve(List<QueryProfile> profiles, Random random, int panes) {
        List<DeadlinePane> all = new ArrayList<>();
        for (int i = 0; i < panes; i++) {
            all.add(new DeadlinePane());
        }
        ContributionHistory contributions = new ContributionHistory();
        for (QueryProfile profile : profiles) {
            DeadlinePane pane = all.get(random.nextInt(panes));
            pane.add(profile, contributions);
            pane.add(SampleMeasurements.second(Profiles.START, 1, profile.degraded() ? 1 : 0));
        }
        return DeadlineCurves.curve("shop", "high", "tpr@4", 1, 2, 10_000, all);
    }

    private static List<QueryProfile> profiles(Random random, int queries, boolean someMissing) {
        List<QueryProfile> profiles = new ArrayList<>();
        for (int q = 0; q < queries; q++) {
            ProfiledResult[] results = new ProfiledResult[1 + random.nextInt(5)];
            for (int c = 0; c < results.length; c++) {
                long[] ids = random.longs(random.nextInt(4), 0, 12).distinct().toArray();
                double latency = 1 + random.nextInt(29);
                results[c] = switch (random.nextInt(someMissing ? 4 : 3)) {
                    case 0 -> Profiles.late("c" + c, latency + 30, ids);
                    case 3 -> Profiles.missing("c" + c);
                    default -> Profiles.inTime("c" + c, latency, ids);
                };
            }
            profiles.add(Profiles.profile(results));
        }
        return profiles;
    }
}
