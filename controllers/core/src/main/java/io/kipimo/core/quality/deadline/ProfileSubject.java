package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A measured query with the final result of each component that it asked, arrived or missing.
 *
 * @param profiledAtMillis event time of the last result, epoch milliseconds
 * @param deadlineMillis deadline in force, after the query's start; positive
 * @param topK size of the answer; 0: the service's default
 * @param results one result of every component that was asked; the quality is relative to these results
 * @param features of the query; may be empty
 * @param explorationRandomness randomness of the query's id ({@link Exploration#randomness}); 0 without features
 */
public record ProfileSubject(
        String service,
        String queryClass,
        long startedAtMillis,
        long profiledAtMillis,
        int deadlineMillis,
        int topK,
        List<ProfiledResult> results,
        Features features,
        long explorationRandomness) {
    private static final long MICROS_PER_MILLI = 1000;

    /**
     * The subject of a query that holds its results ({@link OpenQuery#holdsResults}); empty if the query has no
     * deadline, no component or no quality.
     *
     * @param measurement measurement of the query, with the loss of each component; empty for a clean query whose
     *     results came after its measurement
     */
    public static Optional<ProfileSubject> of(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        boolean hasNoQuality =
                measurement.isPresent() && !measurement.get().completeness().hasQuality();
        if (query.deadlineMillis() < 1 || query.invoked() == 0 || hasNoQuality) {
            return Optional.empty();
        }
        long last = measurement.map(Measurement::measuredAtMillis).orElse(query.answeredAtMillis());
        List<ProfiledResult> results = new ArrayList<>(query.invoked());
        for (int place = 0; place < query.invoked(); place++) {
            if (query.outcome(place) == Outcome.NOT_ASKED) {
                // No deadline would have brought its result.
                continue;
            }
            // A measurement names the components in the answer's order.
            ComponentShare share =
                    measurement.isPresent() ? measurement.get().components().get(place) : null;
            results.add(new ProfiledResult(
                    query.component(place),
                    query.outcome(place),
                    completedMicros(query, place),
                    query.latencyMicros(place),
                    query.items(place),
                    share == null ? 0 : share.lostQuality(),
                    share == null ? 0 : share.contribution()));
            last = Math.max(last, query.completedAtMillis(place));
        }
        return Optional.of(new ProfileSubject(
                key.service(),
                query.queryClass(),
                query.startedAtMillis(),
                last,
                query.deadlineMillis(),
                query.topK(),
                List.copyOf(results),
                // What was left out says nothing of what it would have contributed.
                query.isTrimmed() ? Features.NONE : query.features(),
                query.features().isEmpty() ? 0 : Exploration.randomness(key.queryId())));
    }

    /**
     * Time from the start of the query to the result. Both times are in milliseconds, so their difference may be off by
     * one. The latency since the invocation is in microseconds and cannot be longer, so the greater of the two counts.
     */
    private static long completedMicros(OpenQuery query, int place) {
        return Math.max(
                query.latencyMicros(place),
                MICROS_PER_MILLI * (query.completedAtMillis(place) - query.startedAtMillis()));
    }
}
