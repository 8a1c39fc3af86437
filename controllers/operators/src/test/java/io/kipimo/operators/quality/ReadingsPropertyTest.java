package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.PartitionIdleness;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.quality.SimulatedLog.Entry;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.SampledEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;

/**
 * Readings of one log: at once or as a backlog, partitions in any order and each at a speed of its own, any of them
 * held up for any time, killed and restored from any earlier snapshot, at any parallelism. Every query has the same row
 * in all of them, byte by byte, by both ways to join.
 */
class ReadingsPropertyTest {
    private static final PartitionTime.Tolerance TOLERANCE =
            new PartitionTime.Tolerance(SimulatedLog.OUT_OF_ORDER_MILLIS, SimulatedLog.IDLE_MILLIS * 4 / 5);
    private static final int SPLITS = SimulatedLog.PARTITIONS * SimulatedLog.KINDS;
    private static final HashPartitions PARTITIONS = new HashPartitions(SimulatedLog.PARTITIONS);

    @Property(tries = 40, seed = "33")
    void keyedByQueryAnyTwoReadingsGiveTheSameRows(@ForAll long seed) throws Exception {
        List<Entry> log = SimulatedLog.of(seed, PARTITIONS, false);
        Map<String, Set<String>> rows = new TreeMap<>();
        for (int reading = 0; reading < 3; reading++) {
            try (Reading keyed = new Reading(log, new Random(seed + reading), new Keyed(true))) {
                addTo(rows, keyed.read());
            }
        }
        assertOneRowAQuery(rows, 3, log);
    }

    @Property(tries = 40, seed = "34")
    void inTheTaskOfTheSourceAnyTwoReadingsGiveTheSameRows(@ForAll long seed) throws Exception {
        List<Entry> log = SimulatedLog.of(seed, PARTITIONS, true);
        Map<String, Set<String>> rows = new TreeMap<>();
        for (int reading = 0; reading < 3; reading++) {
            Random random = new Random(seed + reading);
            try (Reading local = new Reading(log, random, new Local(random))) {
                addTo(rows, local.read());
            }
        }
        assertOneRowAQuery(rows, 3, log);
    }

    /** The property can fail: when the time of reading decides, queries have two rows. */
    @Property(tries = 1, seed = "35")
    void ifTheTimeOfReadingDecidedQueriesWouldHaveSeveralRows() throws Exception {
        Map<String, Set<String>> rows = new TreeMap<>();
        for (int seed = 0; seed < 10; seed++) {
            List<Entry> log = SimulatedLog.of(seed, PARTITIONS, false);
            for (int reading = 0; reading < 3; reading++) {
                try (Reading keyed = new Reading(log, new Random(seed + reading), new Keyed(false))) {
                    for (Measurement row : keyed.read()) {
                        rows.computeIfAbsent(seed + "/" + row.queryId(), q -> new HashSet<>())
                                .add(bytes(row));
                    }
                }
            }
        }
        assertThat(rows.values()).anyMatch(ofQuery -> ofQuery.size() > 1);
    }

    /** The property can fail: when a partition with unread records counts as idle, queries lose what was in time. */
    @Property(tries = 1, seed = "36")
    void ifSilenceAloneMadePartitionsIdleRowsWouldDiffer() throws Exception {
        Map<String, Set<String>> rows = new TreeMap<>();
        for (int seed = 0; seed < 10; seed++) {
            List<Entry> log = SimulatedLog.of(seed, PARTITIONS, false);
            for (int reading = 0; reading < 3; reading++) {
                try (Reading keyed = new Reading(log, new Random(seed + reading), new Keyed(true), false)) {
                    for (Measurement row : keyed.read()) {
                        rows.computeIfAbsent(seed + "/" + row.queryId(), q -> new HashSet<>())
                                .add(bytes(row));
                    }
                }
            }
        }
        assertThat(rows.values()).anyMatch(ofQuery -> ofQuery.size() > 1);
    }

    /** The number of readings in which a query has a row is part of what must be equal. */
    private static void addTo(Map<String, Set<String>> all, List<Measurement> rows) {
        rows.stream()
                .collect(Collectors.groupingBy(
                        Measurement::queryId, Collectors.mapping(ReadingsPropertyTest::bytes, Collectors.toSet())))
                .forEach((query, own) -> {
                    all.computeIfAbsent(query, q -> new HashSet<>()).addAll(own);
                    all.computeIfAbsent("readings of " + query, q -> new HashSet<>())
                            .add("reading " + all.get("readings of " + query).size());
                });
    }

    private static void assertOneRowAQuery(Map<String, Set<String>> rows, int readings, List<Entry> log) {
        rows.forEach((query, own) -> assertThat(own)
                .as(() -> query + eventsOf(query, log))
                .hasSize(query.startsWith("readings") ? readings : 1));
    }

    private static String eventsOf(String query, List<Entry> log) {
        return log.stream()
                .filter(entry -> entry.event() != null)
                .filter(entry -> query.endsWith(entry.event().queryId()))
                .map(Entry::toString)
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    private static String bytes(Measurement row) {
        // The text shows what differs.
        return row + HexFormat.of().formatHex(Codecs.MEASUREMENT.encode(row));
    }

    /** A way to join, with its state. */
    private interface Join {
        void start(Object snapshot) throws Exception;

        void accept(LoggedEvent event) throws Exception;

        void advance(long millis) throws Exception;

        /** Rows since the last call. */
        List<StreamRecord<Measurement>> takeRows();

        Object snapshot() throws Exception;

        void close() throws Exception;
    }

    private static List<StreamRecord<Measurement>> takeRows(AbstractStreamOperatorTestHarness<Measurement> harness) {
        List<StreamRecord<Measurement>> rows = new ArrayList<>();
        for (Object output : harness.getOutput()) {
            if (output instanceof StreamRecord<?> row) {
                rows.add(new StreamRecord<>((Measurement) row.getValue(), row.getTimestamp()));
            }
        }
        harness.getOutput().clear();
        return rows;
    }

    private static final class Keyed implements Join {
        private record JoinState(OperatorSubtaskState join, List<PartitionTime> times) {}

        private final boolean places;
        private JoinHarness harness;
        private List<PartitionTime> times;

        Keyed(boolean places) {
            this.places = places;
        }

        @Override
        public void start(Object snapshot) throws Exception {
            harness = new JoinHarness(Map.of("shop", Events.policy()), Duration.ofHours(1), 1, 0);
            times = IntStream.range(0, SPLITS)
                    .mapToObj(i -> new PartitionTime())
                    .toList();
            if (snapshot instanceof JoinState from) {
                harness.initializeState(from.join());
                times = copy(from.times());
            }
            harness.open();
            harness.processWatermarkStatus2(WatermarkStatus.IDLE);
        }

        private static List<PartitionTime> copy(List<PartitionTime> times) {
            return times.stream()
                    .map(time ->
                            new PartitionTime(time.reachedMillis(), time.appendedMillis(), time.silentUntilMillis()))
                    .toList();
        }

        @Override
        public void accept(LoggedEvent event) throws Exception {
            if (places) {
                times.get(event.partition() * 2 + (event.isAnswer() ? 0 : 1)).place(event, TOLERANCE);
            } else {
                event.place(SampledEvent.NO_LOG, SampledEvent.NO_LOG, true);
            }
            harness.processElement(event, event.eventTimeMillis());
        }

        @Override
        public void advance(long millis) throws Exception {
            harness.processWatermark(millis);
        }

        @Override
        public List<StreamRecord<Measurement>> takeRows() {
            return ReadingsPropertyTest.takeRows(harness);
        }

        @Override
        public Object snapshot() throws Exception {
            return new JoinState(harness.snapshot(1, 1), copy(times));
        }

        @Override
        public void close() throws Exception {
            harness.close();
        }
    }

    /** At another parallelism after each restore. */
    private static final class Local implements Join {
        private static final int MAX_PARALLELISM = 16;

        private final Random random;
        private final List<OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>> subtasks =
                new ArrayList<>();

        Local(Random random) {
            this.random = random;
        }

        @Override
        public void start(Object snapshot) throws Exception {
            subtasks.clear();
            int parallelism = 1 + random.nextInt(3);
            for (int subtask = 0; subtask < parallelism; subtask++) {
                var harness = LocalJoinHarness.of(
                        Events.policy(),
                        Duration.ofHours(1),
                        PARTITIONS,
                        TOLERANCE,
                        MAX_PARALLELISM,
                        parallelism,
                        subtask);
                if (snapshot instanceof OperatorSubtaskState[] states) {
                    harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                            AbstractStreamOperatorTestHarness.repackageState(states),
                            MAX_PARALLELISM,
                            states.length,
                            parallelism,
                            subtask));
                }
                harness.open();
                subtasks.add(harness);
            }
        }

        @Override
        public void accept(LoggedEvent event) throws Exception {
            subtasks.get(PARTITIONS.owner(event.partition(), subtasks.size(), MAX_PARALLELISM))
                    .processElement(new StreamRecord<>(Either.Right(event), event.eventTimeMillis()));
        }

        @Override
        public void advance(long millis) throws Exception {
            for (var subtask : subtasks) {
                subtask.processWatermark(new Watermark(millis));
            }
        }

        @Override
        public List<StreamRecord<Measurement>> takeRows() {
            return subtasks.stream()
                    .flatMap(subtask -> ReadingsPropertyTest.takeRows(subtask).stream())
                    .toList();
        }

        @Override
        public Object snapshot() throws Exception {
            OperatorSubtaskState[] states = new OperatorSubtaskState[subtasks.size()];
            for (int subtask = 0; subtask < states.length; subtask++) {
                states[subtask] = subtasks.get(subtask).snapshot(1, 1);
            }
            return states;
        }

        @Override
        public void close() throws Exception {
            for (var subtask : subtasks) {
                subtask.close();
            }
        }
    }

    /** A job that reads the log, from its beginning until everything is measured. */
    private static final class Reading implements AutoCloseable {
        private record Snapshot(int[] positions, Object join, OperatorSubtaskState bounds) {}

        private final List<List<Entry>> splits = new ArrayList<>();
        private final Random random;
        private final Join join;
        private final List<Snapshot> snapshots = new ArrayList<>();
        private final List<Measurement> rows = new ArrayList<>();
        private OneInputStreamOperatorTestHarness<Measurement, Measurement> bounds;
        private int[] positions = new int[SPLITS];
        private long[] reachedMillis = new long[SPLITS];
        private PartitionIdleness[] idleness = new PartitionIdleness[SPLITS];
        private final int[] speeds;

        /** Until when a split is not read. */
        private final long[] heldUpUntilMillis = new long[SPLITS];

        private final boolean waitsForUnread;

        /** When the last record was appended. */
        private final long lastMillis;

        private long watermarkMillis;
        private long nowMillis;

        Reading(List<Entry> log, Random random, Join join) {
            this(log, random, join, true);
        }

        /** @param waitsForUnread whether a partition with unread records holds event time, however long it is silent */
        Reading(List<Entry> log, Random random, Join join, boolean waitsForUnread) {
            this.waitsForUnread = waitsForUnread;
            for (int split = 0; split < SPLITS; split++) {
                int own = split;
                splits.add(log.stream().filter(entry -> entry.split() == own).toList());
            }
            this.random = random;
            this.join = join;
            speeds = random.ints(SPLITS, 1, 30).toArray();
            long first = log.get(0).atMillis();
            lastMillis = log.get(log.size() - 1).atMillis();
            // Some readings begin when the whole log is there.
            nowMillis = random.nextInt(4) == 0 ? lastMillis + 1_000 : first;
        }

        List<Measurement> read() throws Exception {
            start(null);
            int kills = random.nextInt(4);
            while (!isAtTheEnd()) {
                nowMillis += 50 + random.nextInt(1_000);
                readSome();
                if (random.nextInt(20) == 0) {
                    snapshots.add(new Snapshot(positions.clone(), join.snapshot(), bounds.snapshot(1, 1)));
                }
                if (kills > 0 && random.nextInt(100) == 0) {
                    kills--;
                    join.close();
                    bounds.close();
                    nowMillis += random.nextInt(60_000);
                    start(snapshots.isEmpty() ? null : snapshots.get(random.nextInt(snapshots.size())));
                }
            }
            // More observations come, while all other partitions become idle.
            for (int second = 0; second < 15; second++) {
                nowMillis += 1_000;
                for (int split = SimulatedLog.PARTITIONS * (SimulatedLog.KINDS - 1); split < SPLITS; split++) {
                    idleness[split].use(nowMillis);
                    reachedMillis[split] = lastMillis;
                }
                advance();
            }
            return rows;
        }

        private void start(Snapshot from) throws Exception {
            join.start(from == null ? null : from.join());
            bounds = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(new ExpiredBoundsFunction()));
            if (from != null) {
                bounds.initializeState(from.bounds());
            }
            bounds.open();
            positions = from == null ? new int[SPLITS] : from.positions().clone();
            // A source does not store its watermarks.
            reachedMillis = new long[SPLITS];
            Arrays.setAll(idleness, split -> new PartitionIdleness(SimulatedLog.IDLE_MILLIS, nowMillis));
            watermarkMillis = Long.MIN_VALUE;
        }

        private boolean isAtTheEnd() {
            return IntStream.range(0, SPLITS)
                    .allMatch(split -> positions[split] == splits.get(split).size());
        }

        /** Reads a part of what there is, the partitions in any order. */
        private void readSome() throws Exception {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, SPLITS).boxed().toList());
            Collections.shuffle(order, random);
            for (int split : order) {
                if (random.nextInt(200) == 0) {
                    heldUpUntilMillis[split] = nowMillis + random.nextInt(60_000);
                }
                boolean isHeldUp = nowMillis < heldUpUntilMillis[split];
                for (int left = isHeldUp ? 0 : random.nextInt(speeds[split] + 1); left > 0 && isThere(split); left--) {
                    take(splits.get(split).get(positions[split]++));
                }
                if (random.nextInt(3) == 0) {
                    advance();
                }
            }
            advance();
        }

        private boolean isThere(int split) {
            return positions[split] < splits.get(split).size()
                    && splits.get(split).get(positions[split]).atMillis() <= nowMillis;
        }

        private void take(Entry entry) throws Exception {
            reachedMillis[entry.split()] =
                    Math.max(reachedMillis[entry.split()], Math.min(entry.eventMillis(), entry.stampMillis()));
            idleness[entry.split()].use(nowMillis);
            if (entry.event() != null) {
                LoggedEvent event = Events.logged(entry.event(), entry.partition());
                event.place(SampledEvent.NO_LOG, entry.stampMillis(), true);
                join.accept(event);
                flow();
            }
        }

        /** As the sources do: idle partitions do not count. */
        private void advance() throws Exception {
            long least = Long.MAX_VALUE;
            for (int split = 0; split < SPLITS; split++) {
                if (!isIdle(split) && !splits.get(split).isEmpty()) {
                    least = Math.min(least, reachedMillis[split]);
                }
            }
            if (least != Long.MAX_VALUE && least > 0) {
                watermarkMillis = Math.max(watermarkMillis, least - SimulatedLog.OUT_OF_ORDER_MILLIS - 1);
                join.advance(watermarkMillis);
                flow();
            }
        }

        private boolean isIdle(int split) {
            if (!waitsForUnread) {
                return idleness[split].isSilent(nowMillis);
            }
            boolean isIdle = idleness[split].isIdle(positions[split], nowMillis);
            if (idleness[split].wantsEnd(nowMillis)) {
                idleness[split].ask(nowMillis);
                idleness[split].answer(splits.get(split).stream()
                        .takeWhile(entry -> entry.atMillis() <= nowMillis)
                        .count());
            }
            return isIdle;
        }

        private void flow() throws Exception {
            for (StreamRecord<Measurement> row : join.takeRows()) {
                bounds.processElement(row.getValue(), row.getTimestamp());
            }
            rows.addAll(bounds.extractOutputValues());
            bounds.getOutput().clear();
        }

        @Override
        public void close() throws Exception {
            join.close();
            bounds.close();
        }
    }
}
