package io.kipimo.bench.machine;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.workload.RecordedWorkload;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests to process one log; each has its own repetition number.
 *
 * @param kafka broker with the log
 * @param events number of events in the log
 * @param results number of results that a subject without loss writes
 * @param settings of the engine
 */
public record LogRequests(KafkaSettings kafka, long events, long results, Map<String, String> settings) {
    /** The next repetition number. All logs share it, since it is part of the consumer groups' names. */
    private static final AtomicInteger REPETITIONS = new AtomicInteger();

    /** Requests for subjects with the default settings. */
    public static LogRequests of(Context context, KafkaSettings kafka, RecordedWorkload recorded) {
        return of(context, kafka, recorded.events(), recorded.measurements());
    }

    /** Requests for subjects with the default settings. */
    public static LogRequests of(Context context, KafkaSettings kafka, long events, long results) {
        return new LogRequests(kafka, events, results, Map.of()).on(context.backend());
    }

    /** Requests for the same log, with another state backend. */
    public LogRequests on(Context.StateBackend backend) {
        return new LogRequests(kafka, events, results, Map.of("state.backend.type", backend.flinkName()));
    }

    public SideRequest next() {
        return new SideRequest(
                kafka.bootstrapServers(),
                kafka.topicPrefix(),
                REPETITIONS.getAndIncrement(),
                events,
                results,
                settings);
    }
}
