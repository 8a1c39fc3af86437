package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import java.util.List;

/** Short constructors of queries of service "shop", class "high", with a deadline of 30 ms. */
public final class Profiles {
    public static final long START = 1_000_000;
    public static final int DEADLINE = 30;
    public static final QualitySettings SETTINGS = settings(MergePolicy.TOP_K);

    private Profiles() {}

    static QualitySettings settings(MergePolicy merge) {
        return QualitySettings.of(Policy.builder()
                .service("shop")
                .merge(merge)
                .topK(4)
                .metrics(List.of("tpr@4"))
                .build());
    }

    public static QueryProfile profile(ProfiledResult... results) {
        return Profiling.profile(subject(results), SETTINGS);
    }

    public static ProfileSubject subject(ProfiledResult... results) {
        return new ProfileSubject("shop", "high", START, START + 500, DEADLINE, 0, List.of(results), Features.NONE, 0);
    }

    /** The profile of a query with these features. */
    public static QueryProfile profile(Features features, ProfiledResult... results) {
        ProfileSubject subject = subject(results);
        return Profiling.profile(
                new ProfileSubject(
                        subject.service(),
                        subject.queryClass(),
                        subject.startedAtMillis(),
                        subject.profiledAtMillis(),
                        subject.deadlineMillis(),
                        subject.topK(),
                        subject.results(),
                        features,
                        0),
                SETTINGS);
    }

    public static ProfiledResult inTime(String component, double latencyMillis, long... ids) {
        return result(component, Outcome.IN_TIME, latencyMillis, items(ids));
    }

    public static ProfiledResult late(String component, double latencyMillis, long... ids) {
        return result(component, Outcome.TIMED_OUT, latencyMillis, items(ids));
    }

    public static ProfiledResult missing(String component) {
        return result(component, Outcome.TIMED_OUT, 30, null);
    }

    /** The same, for a component that was invoked this long after the query's start. */
    public static ProfiledResult invokedAfter(double delayMillis, ProfiledResult result) {
        return new ProfiledResult(
                result.component(),
                result.outcome(),
                result.latencyMicros() + Math.round(delayMillis * 1000),
                result.latencyMicros(),
                result.items(),
                result.lostQuality(),
                result.contribution());
    }

    private static ProfiledResult result(String component, Outcome outcome, double latencyMillis, Items items) {
        boolean late = outcome != Outcome.IN_TIME && items != null;
        long latencyMicros = Math.round(latencyMillis * 1000);
        return new ProfiledResult(component, outcome, latencyMicros, latencyMicros, items, late ? 0.25 : 0, 0.25);
    }

    /** Items with scores that fall with the id, so that the ids 1..4 are the mature answer. */
    public static Items items(long... ids) {
        float[] scores = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            scores[i] = 100 - ids[i];
        }
        return Items.ofNumbers(ids, scores);
    }
}
