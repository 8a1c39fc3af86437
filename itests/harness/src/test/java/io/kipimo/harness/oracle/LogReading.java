package io.kipimo.harness.oracle;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Reads every partition of a traffic in order, and the partitions in any order, as a job does. */
final class LogReading {
    /** Receives what is read. */
    interface Reader {
        /** Receives an event of a service that has a policy. */
        void accept(QueryEvent event);

        /** Receives the current event time; it may be the same as before. */
        void advance(long watermarkMillis);
    }

    private final TrafficSettings settings;
    private final QualityTraffic traffic;
    private final Reader reader;
    private final Set<String> services;
    private final Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
    private final Map<String, Long> watermarks = new HashMap<>();

    LogReading(TrafficSettings settings, QualityTraffic traffic, Reader reader) {
        this.settings = settings;
        this.traffic = traffic;
        this.reader = reader;
        services = traffic.policies().stream().map(Policy::service).collect(Collectors.toSet());
    }

    Map<RejectionReason, Long> rejected() {
        return rejected;
    }

    /** Everything before the stragglers. */
    void readAll(RandomGenerator random) {
        Map<String, Deque<LogRecord>> splits = new LinkedHashMap<>();
        for (LogRecord record : traffic.records()) {
            splits.computeIfAbsent(split(record), name -> new ArrayDeque<>()).add(record);
        }
        splits.keySet().forEach(split -> watermarks.put(split, Long.MIN_VALUE));
        List<Deque<LogRecord>> left = new ArrayList<>(splits.values());
        while (!left.isEmpty()) {
            Deque<LogRecord> split = left.get(random.nextInt(left.size()));
            for (int i = random.nextInt(1, 400); i > 0 && !split.isEmpty(); i--) {
                read(split.remove());
            }
            left.removeIf(Collection::isEmpty);
        }
        traffic.stragglers().forEach(this::read);
    }

    private void read(LogRecord record) {
        try {
            long time = record.topic() == Topic.OBSERVATIONS
                    ? Codecs.OBSERVATION.decode(record.value()).endMillis()
                    : take(decode(record));
            watermarks.merge(split(record), time - settings.outOfOrdernessMillis(), Math::max);
            reader.advance(watermarks.values().stream().min(Long::compare).orElseThrow());
        } catch (InvalidRecordException e) {
            rejected.merge(e.reason(), 1L, Long::sum);
        }
    }

    private long take(QueryEvent event) throws InvalidRecordException {
        if (event.eventTimeMillis() > settings.startMillis() + 1_000_000) {
            throw new InvalidRecordException(RejectionReason.FUTURE_TIMESTAMP, "");
        }
        if (!services.contains(event.service())) {
            throw new InvalidRecordException(RejectionReason.UNKNOWN_SERVICE, "");
        }
        reader.accept(event);
        return event.eventTimeMillis();
    }

    private static QueryEvent decode(LogRecord record) throws InvalidRecordException {
        return record.topic() == Topic.ANSWERS
                ? QueryEvent.of(Codecs.ANSWER.decode(record.value()))
                : QueryEvent.of(Codecs.PARTIAL_RESULT.decode(record.value()));
    }

    private static String split(LogRecord record) {
        return record.topic() + "-" + record.partition();
    }
}
