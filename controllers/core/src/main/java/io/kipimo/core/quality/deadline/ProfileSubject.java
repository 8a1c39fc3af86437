package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A measured query whose results are all there, or will not come any more.
 *
 * @param profiledAtMillis event time at which it was so, epoch milliseconds
 * @param deadlineMillis in force, after the query's start; positive
 * @param topK size of the answer; 0: the service's default
 * @param results one of every invoked component
 */
public record ProfileSubject(
        String service,
        String queryClass,
        long startedAtMillis,
        long profiledAtMillis,
        int deadlineMillis,
        int topK,
        List<ProfiledResult> results) {
    private static final long MICROS_PER_MILLI = 1000;

    /**
     * A query whose results are held, as {@link OpenQuery#holdsResults} says; empty where no
     * deadline or no component is known, or the quality is not.
     *
     * @param measurement of a degraded query, which tells what each component cost
     */
    public static Optional<ProfileSubject> of(
            QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        boolean hasNoQuality =
                measurement.isPresent() && !measurement.get().completeness().hasQuality();
        if (query.deadlineMillis() < 1 || query.invoked() == 0 || hasNoQuality) {
            return Optional.empty();
        }
        long last = measurement.map(Measurement::measuredAtMillis).orElse(query.answeredAtMillis());
        List<ProfiledResult> results = new ArrayList<>(query.invoked());
        for (int place = 0; place < query.invoked(); place++) {
            // A measurement names the components in the answer's order.
            ComponentShare share =
                    measurement.isPresent() ? measurement.get().components().get(place) : null;
            results.add(
                    new ProfiledResult(
                            query.component(place),
                            query.outcome(place),
                            completedMicros(query, place),
                            query.latencyMicros(place),
                            query.items(place),
                            share == null ? 0 : share.lostQuality(),
                            share == null ? 0 : share.contribution()));
            last = Math.max(last, query.completedAtMillis(place));
        }
        return Optional.of(
                new ProfileSubject(
                        key.service(),
                        query.queryClass(),
                        query.startedAtMillis(),
                        last,
                        query.deadlineMillis(),
                        query.topK(),
                        List.copyOf(results)));
    }

    /**
     * From the start of the query to the result. The records tell both to the millisecond, so that
     * their difference may be off by one; they tell the time from the invocation to the
     * microsecond, and a result never came sooner after the start than after its invocation.
     */
    private static long completedMicros(OpenQuery query, int place) {
        return Math.max(
                query.latencyMicros(place),
                MICROS_PER_MILLI * (query.completedAtMillis(place) - query.startedAtMillis()));
    }
}
