package io.kipimo.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.harness.oracle.PlainJoin.Verdict;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * What the traffic expects follows from the rules of the join alone, however the partitions are
 * read.
 */
class QualityTrafficPropertyTest {
    private static final long START_MILLIS = 1_790_000_000_000L;
    private static final int PARTITIONS = 3;
    private static final long OUT_OF_ORDERNESS_MILLIS =
            new TrafficSettings(0, 0, PARTITIONS, START_MILLIS).outOfOrdernessMillis();

    @Property(tries = 6, seed = "1")
    void rulesOfTheJoinGiveTheExpectedRowsAndCountsInAnyReadingOrder(
            @ForAll long seed, @ForAll long order, @ForAll boolean hot) {
        TrafficSettings settings = new TrafficSettings(seed, 1_000, PARTITIONS, START_MILLIS);
        QualityTraffic traffic = QualityTraffic.generate(hot ? settings.withHotQuery() : settings);
        Reading reading = new Reading(traffic.policies());

        reading.readAll(traffic.records(), new SplittableRandom(order));
        traffic.stragglers().forEach(reading::read);

        assertThat(reading.verdicts.get(Verdict.JOINED)).isEqualTo(traffic.counts().joined());
        assertThat(reading.verdicts.get(Verdict.LATE)).isEqualTo(traffic.counts().late());
        assertThat(reading.verdicts.get(Verdict.DUPLICATE)).isEqualTo(traffic.counts().duplicate());
        assertThat(reading.rejected).isEqualTo(traffic.counts().rejected());
        assertThat(traffic.counts().all())
                .isEqualTo(
                        traffic.records().stream()
                                        .filter(r -> r.topic() != Topic.OBSERVATIONS)
                                        .count()
                                + traffic.stragglers().size());
        assertThat(reading.join.rows().keySet()).isEqualTo(traffic.rows().keySet());
        traffic.rows()
                .forEach(
                        (query, row) ->
                                assertThat(reading.join.rows().get(query))
                                        .singleElement()
                                        .satisfies(
                                                actual ->
                                                        assertThat(
                                                                        row.differences(
                                                                                actual
                                                                                        .measurement()))
                                                                .isEmpty()));
        assertThat(reading.join.remembered())
                .toIterable()
                .allMatch(query -> query.queryId().startsWith("run-out"));
    }

    @Property(tries = 1, seed = "2")
    void everyKindOfOutcomeIsThere(@ForAll long seed) {
        QualityTraffic traffic =
                QualityTraffic.generate(new TrafficSettings(seed, 6_000, PARTITIONS, START_MILLIS));
        double all = traffic.counts().all();

        assertThat(traffic.counts().late() / all).isBetween(0.01, 0.04);
        assertThat(traffic.counts().duplicate() / all).isBetween(0.07, 0.11);
        assertThat(traffic.counts().allRejected() / all).isBetween(0.005, 0.02);
        // Late events of queries have a topic of their own.
        assertThat(traffic.counts().rejected().keySet())
                .isEqualTo(
                        EnumSet.complementOf(
                                EnumSet.of(RejectionReason.LATE, RejectionReason.TOO_MANY_NAMES)));
        assertThat(traffic.stragglers()).isNotEmpty();
        assertThat(
                        traffic.rows().values().stream()
                                .collect(
                                        Collectors.groupingBy(
                                                row ->
                                                        row.measurement().completeness()
                                                                + (row.measurement().truncated()
                                                                        ? " truncated"
                                                                        : ""))))
                .containsKeys("COMPLETE", "COMPLETE truncated", "EXPIRED", "ORPHAN");
    }

    @Property(tries = 1, seed = "3")
    void aHotQueryHasHalfOfAllEvents(@ForAll long seed) {
        QualityTraffic traffic =
                QualityTraffic.generate(
                        new TrafficSettings(seed, 1_000, PARTITIONS, START_MILLIS).withHotQuery());

        long all = traffic.records().stream().filter(r -> r.topic() != Topic.OBSERVATIONS).count();
        long hottest =
                traffic.records().stream()
                        .filter(r -> r.topic() != Topic.OBSERVATIONS && r.key() != null)
                        .collect(
                                Collectors.groupingBy(
                                        r -> new String(r.key(), StandardCharsets.UTF_8),
                                        Collectors.counting()))
                        .values()
                        .stream()
                        .max(Long::compare)
                        .orElseThrow();
        assertThat((double) hottest / all).isBetween(0.48, 0.52);
    }

    /** A job that reads every partition in order, and all of them in any order. */
    private static final class Reading {
        private final PlainJoin join;
        private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
        private final Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
        private final Map<String, Long> watermarks = new HashMap<>();

        Reading(List<Policy> policies) {
            join =
                    new PlainJoin(
                            policies.stream()
                                    .collect(
                                            Collectors.toMap(
                                                    Policy::service, Function.identity())));
        }

        void readAll(List<LogRecord> records, RandomGenerator random) {
            Map<String, Deque<LogRecord>> splits = new LinkedHashMap<>();
            for (LogRecord record : records) {
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
        }

        void read(LogRecord record) {
            try {
                long time =
                        record.topic() == Topic.OBSERVATIONS
                                ? Codecs.OBSERVATION.decode(record.value()).endMillis()
                                : join(decode(record));
                watermarks.merge(split(record), time - OUT_OF_ORDERNESS_MILLIS, Math::max);
                join.advance(watermarks.values().stream().min(Long::compare).orElseThrow());
            } catch (InvalidRecordException e) {
                rejected.merge(e.reason(), 1L, Long::sum);
            }
        }

        private long join(QueryEvent event) throws InvalidRecordException {
            if (event.eventTimeMillis() > START_MILLIS + 1_000_000) {
                throw new InvalidRecordException(RejectionReason.FUTURE_TIMESTAMP, "");
            }
            Verdict verdict = join.accept(event);
            if (verdict == Verdict.REJECTED) {
                throw new InvalidRecordException(RejectionReason.UNKNOWN_SERVICE, "");
            }
            verdicts.merge(verdict, 1L, Long::sum);
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
}
