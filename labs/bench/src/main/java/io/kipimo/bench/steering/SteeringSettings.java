package io.kipimo.bench.steering;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.schemas.field.WithBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings in {@code steering.json}, which were all fixed before the first run.
 *
 * @param objective mean quality of the high class that the controllers keep, 0..1
 * @param good quality from which an answer counts as good, 0..1
 * @param latestMillis an answer later than this after the intended start counts as none
 * @param samplingRate share of the queries that the controlled ways measure, 0..1; other ways measure nothing
 * @param highShare load of the high class, as a share of the capacity
 * @param load of both classes, as a share of the capacity for the mix's first phase
 * @param costOrder as in a class policy, for the ways that shed the costliest queries first
 * @param fanOutFloor share of the full answer that trimmed queries are expected to keep, 0..1
 * @param exploration share of the queries that are never trimmed, 0..1
 * @param kp proportional gain of the controllers of both signals; {@code ki} is their integral gain
 * @param leastConcurrency lower bound of the concurrency limit
 * @param queriesPerPhase distinct queries of a phase
 * @param topics number of partitions in the layout by topic
 * @param trainingLoad load on which the trimmed ways learn before the comparison, as a share of the capacity; all of
 *     its queries are measured
 * @param trainingSeconds duration of the training load
 * @param moments mixes whose load changes during the run; they run only if named
 * @param sliceSeconds length of the slices whose mean distance from the objective is reported
 */
@WithBuilder
record SteeringSettings(
        double objective,
        double good,
        int deadlineMillis,
        int latestMillis,
        int expirationWindowMillis,
        int topK,
        int queueCapacity,
        double samplingRate,
        double highShare,
        double load,
        double costOrder,
        double fanOutFloor,
        double exploration,
        double kp,
        double ki,
        int windowMillis,
        int periodMillis,
        int leastConcurrency,
        int queriesPerPhase,
        int topics,
        double trainingLoad,
        int trainingSeconds,
        int sliceSeconds,
        long seed,
        List<QueryMix> mixes,
        List<Moment> moments)
        implements SteeringSettingsBuilder.With {

    /** The moment of a mix; empty: its load does not change. */
    Optional<Moment> moment(QueryMix mix) {
        return moments.stream().filter(m -> m.mix().equals(mix)).findFirst();
    }

    /** All mixes, including those of the moments. */
    List<QueryMix> allMixes() {
        return Stream.concat(mixes.stream(), moments.stream().map(Moment::mix)).toList();
    }

    static SteeringSettings read() {
        try (InputStream file = SteeringSettings.class.getResourceAsStream("steering.json")) {
            return new ObjectMapper().readValue(file, SteeringSettings.class);
        } catch (IOException e) {
            throw new UncheckedIOException("steering.json", e);
        }
    }
}
