package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.PartitionIdleness;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.quality.SimulatedLog.Entry;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.SampledEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readings of one log: at once or as a backlog, partitions in any order and each at a speed of its own, any of them
 * held up for any time, observations among them, killed and restored from any earlier snapshot, at any parallelism.
 * Every query has the same row in all of them, byte by byte, with both feeds.
 */
class ReadingsPropertyTest {
    private static final PartitionTime.Tolerance TOLERANCE =
            new PartitionTime.Tolerance(SimulatedLog.OUT_OF_ORDER_MILLIS, SimulatedLog.IDLE_MILLIS * 4 / 5);
    private static final int SPLITS = SimulatedLog.PARTITIONS * SimulatedLog.KINDS;
    private static final int OBSERVATIONS = SimulatedLog.PARTITIONS * (SimulatedLog.KINDS - 1);
    private static final HashPartitions PARTITIONS = new HashPartitions(SimulatedLog.PARTITIONS);
    private static final int MAX_PARALLELISM = 16;
    private static final int READINGS = 3;

    /** What a job would do if it did not do better. */
    private enum Flaw {
        NONE,
        /** Events do not state how far their partition had come. */
        TIME_OF_READING,
        /** A partition with unread records is idle once nothing came from it. */
        SILENCE_ALONE
    }

    private enum Feed {
        SHUFFLED,
        CHAINED,
        /** Chosen anew at each start. */
        ANY
    }

    private static LongStream logs() {
        return new Random(33).longs(Effort.of(1, 30));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void throughAShuffleAnyTwoReadingsGiveTheSameRows(long seed) throws Exception {
        List<Entry> log = SimulatedLog.of(seed, PARTITIONS, false, false);
        assertOneRowAQuery(rows(log, seed, Feed.SHUFFLED, Flaw.NONE), log);
    }

    /** A savepoint fits both feeds. */
    @ParameterizedTest
    @MethodSource("logs")
    void inTheTaskOfTheSourceAnyTwoReadingsGiveTheSameRows(long seed) throws Exception {
        List<Entry> log = SimulatedLog.of(seed, PARTITIONS, true, false);
        Map<String, Set<String>> rows = rows(log, seed, Feed.CHAINED, Flaw.NONE);
        rows(log, seed, Feed.ANY, Flaw.NONE)
                .forEach((query, own) -> rows.merge(query, own, ReadingsPropertyTest::union));
        assertOneRowAQuery(rows, log);
    }

    private static LongStream longLogs() {
        return logs().limit(3);
    }

    /** Low ends follow from what was learned. */
    @ParameterizedTest
    @MethodSource("longLogs")
    @Tag("full")
    void rowsWithAHistoryAreTheSame(long seed) throws Exception {
        List<Entry> log = SimulatedLog.of(seed, PARTITIONS, true, true);
        Map<String, Set<String>> rows = rows(log, seed, Feed.ANY, Flaw.NONE);
        assertOneRowAQuery(rows, log);
        assertThat(rows.values().stream().flatMap(Set::stream))
                .filteredOn(row -> row.contains("completeness=EXPIRED") && !row.contains("low=0.0,"))
                .as("with a history")
                .hasSizeGreaterThan(100);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    private static Stream<Flaw> flaws() {
        return Effort.first(1, Flaw.SILENCE_ALONE, Flaw.TIME_OF_READING);
    }

    /** The property can fail. */
    @ParameterizedTest
    @MethodSource("flaws")
    void withAFlawQueriesWouldHaveSeveralRows(Flaw flaw) throws Exception {
        boolean differ = false;
        for (int seed = 0; seed < 100 && !differ; seed++) {
            List<Entry> log = SimulatedLog.of(seed, PARTITIONS, false, false);
            differ = rows(log, seed, Feed.SHUFFLED, flaw).values().stream().anyMatch(own -> own.size() > 1);
        }
        assertThat(differ).isTrue();
    }

    /** What some readings of a log say of each query; how many of them have a row is part of what must be equal. */
    private static Map<String, Set<String>> rows(List<Entry> log, long seed, Feed feed, Flaw flaw) throws Exception {
        Map<String, Set<String>> rows = new TreeMap<>();
        Map<String, Integer> readings = new TreeMap<>();
        for (int number = 0; number < READINGS; number++) {
            Random random = new Random(seed + number);
            try (Reading reading = new Reading(log, random, new Subtasks(random, feed, flaw), flaw)) {
                Set<String> measured = new HashSet<>();
                for (Measurement row : reading.read()) {
                    // The text shows what differs.
                    rows.computeIfAbsent(row.queryId(), query -> new HashSet<>())
                            .add(row + HexFormat.of().formatHex(Codecs.MEASUREMENT.encode(row)));
                    measured.add(row.queryId());
                }
                measured.forEach(query -> readings.merge(query, 1, Integer::sum));
            }
        }
        readings.forEach((query, count) -> {
            if (count < READINGS) {
                rows.get(query).add("no row in " + (READINGS - count) + " readings");
            }
        });
        return rows;
    }

    private static void assertOneRowAQuery(Map<String, Set<String>> rows, List<Entry> log) {
        rows.forEach((query, own) ->
                assertThat(own).as(() -> query + eventsOf(query, log)).hasSize(1));
    }

    private static String eventsOf(String query, List<Entry> log) {
        return log.stream()
                .filter(entry -> entry.event() != null)
                .filter(entry -> query.equals(entry.event().queryId()))
                .map(Entry::toString)
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    /** Subtasks of the join, and the channels to them, at another parallelism after each restore. */
    private static final class Subtasks {
        /** What the join, and the feed in front of it, have stored. */
        private record JoinState(OperatorSubtaskState[] join, List<PartitionTime> times) {}

        private final Random random;
        private final Feed feed;
        private final Flaw flaw;
        private final List<JoinHarness> subtasks = new ArrayList<>();

        /** What is on its way from each subtask of the source to each of the join. */
        private final Map<List<Integer>, Deque<JoinInput>> channels = new LinkedHashMap<>();

        private List<PartitionTime> times;
        private boolean isShuffled;

        Subtasks(Random random, Feed feed, Flaw flaw) {
            this.random = random;
            this.feed = feed;
            this.flaw = flaw;
        }

        /** @return the parallelism, also of the source */
        int start(Object snapshot) throws Exception {
            subtasks.clear();
            channels.clear();
            isShuffled = feed == Feed.SHUFFLED || (feed == Feed.ANY && random.nextBoolean());
            times = IntStream.range(0, SPLITS)
                    .mapToObj(i -> new PartitionTime())
                    .toList();
            if (snapshot instanceof JoinState from) {
                times = copy(from.times());
            }
            int parallelism = 1 + random.nextInt(3);
            for (int subtask = 0; subtask < parallelism; subtask++) {
                JoinHarness harness = JoinHarness.of(
                        Events.policy(),
                        Duration.ofHours(1),
                        PARTITIONS,
                        TOLERANCE,
                        MAX_PARALLELISM,
                        parallelism,
                        subtask,
                        BacklogSampling.BacklogSettings.OFF,
                        isShuffled);
                List<OperatorSubtaskState> from =
                        snapshot instanceof JoinState state ? List.of(state.join()) : List.of();
                JoinHarness.open(harness, from, MAX_PARALLELISM, parallelism, subtask);
                subtasks.add(harness);
            }
            return parallelism;
        }

        private static List<PartitionTime> copy(List<PartitionTime> times) {
            return times.stream()
                    .map(time ->
                            new PartitionTime(time.reachedMillis(), time.appendedMillis(), time.silentUntilMillis()))
                    .toList();
        }

        /** A subtask of the source has read an event. */
        void send(int source, LoggedEvent event) throws Exception {
            if (flaw == Flaw.TIME_OF_READING) {
                event.place(SampledEvent.NO_LOG, SampledEvent.NO_LOG, true);
            } else {
                times.get(event.partition() * 2 + (event.isAnswer() ? 0 : 1)).place(event, TOLERANCE);
            }
            int partition = isShuffled ? PARTITIONS.partitionOf(event.key()) : event.partition();
            send(source, PARTITIONS.owner(partition, subtasks.size(), MAX_PARALLELISM), event);
        }

        /** A subtask of the source says how far it has come. */
        void tell(int source, long millis, boolean isIdle) throws Exception {
            if (!isShuffled) {
                advance(source, millis);
                return;
            }
            for (int join = 0; join < subtasks.size(); join++) {
                send(
                        source,
                        join,
                        new FeedTime(
                                source,
                                subtasks.size(),
                                millis,
                                isIdle,
                                subtasks.get(join).address()));
            }
        }

        private void send(int source, int join, JoinInput input) throws Exception {
            if (isShuffled) {
                channels.computeIfAbsent(List.of(source, join), c -> new ArrayDeque<>())
                        .add(input);
            } else {
                take(join, input);
            }
        }

        /** Takes what has arrived through the channels, some of which are slower than others. */
        void receive() throws Exception {
            for (Map.Entry<List<Integer>, Deque<JoinInput>> channel : channels.entrySet()) {
                if (random.nextInt(3) > 0) {
                    drain(channel.getKey(), channel.getValue());
                }
            }
        }

        private void drain(List<Integer> ends, Deque<JoinInput> inputs) throws Exception {
            while (!inputs.isEmpty()) {
                take(ends.get(1), inputs.remove());
            }
        }

        private void take(int join, JoinInput input) throws Exception {
            subtasks.get(join).processElement(input, input.eventTimeMillis());
        }

        private void advance(int join, long millis) throws Exception {
            subtasks.get(join).processWatermark(new Watermark(millis));
        }

        /** Rows of a subtask since the last call. */
        List<StreamRecord<Measurement>> takeRows(int subtask) {
            List<StreamRecord<Measurement>> rows = new ArrayList<>();
            for (Object output : subtasks.get(subtask).getOutput()) {
                if (output instanceof StreamRecord<?> row) {
                    rows.add(new StreamRecord<>((Measurement) row.getValue(), row.getTimestamp()));
                }
            }
            subtasks.get(subtask).getOutput().clear();
            return rows;
        }

        /** Barriers have come through all channels. */
        void align() throws Exception {
            for (Map.Entry<List<Integer>, Deque<JoinInput>> channel : channels.entrySet()) {
                drain(channel.getKey(), channel.getValue());
            }
        }

        Object snapshot() throws Exception {
            OperatorSubtaskState[] states = new OperatorSubtaskState[subtasks.size()];
            for (int subtask = 0; subtask < states.length; subtask++) {
                states[subtask] = subtasks.get(subtask).snapshot(1, 1);
            }
            return new JoinState(states, copy(times));
        }

        void close() throws Exception {
            for (JoinHarness subtask : subtasks) {
                subtask.close();
            }
        }
    }

    /** A partition of a topic, as one subtask of the source reads it. */
    private static final class Split {
        private final int id;
        private final List<Entry> entries;
        private final int speed;
        private final PartitionIdleness idleness;
        private int position;
        private long reachedMillis;

        /** Until when it is not read. */
        private long heldUpUntilMillis;

        Split(int id, List<Entry> entries, int position, int speed, long nowMillis) {
            this.id = id;
            this.entries = entries;
            this.position = position;
            this.speed = speed;
            idleness = new PartitionIdleness(SimulatedLog.IDLE_MILLIS, nowMillis);
        }

        boolean hasUnread(long nowMillis) {
            return position < entries.size() && entries.get(position).atMillis() <= nowMillis;
        }

        Entry next(long nowMillis) {
            Entry entry = entries.get(position++);
            reachedMillis = Math.max(reachedMillis, Math.min(entry.eventMillis(), entry.stampMillis()));
            idleness.use(nowMillis);
            return entry;
        }

        boolean isIdle(long nowMillis, boolean waitsForUnread) {
            if (!waitsForUnread) {
                return idleness.isSilent(nowMillis);
            }
            boolean isIdle = idleness.isIdle(position, nowMillis);
            if (idleness.wantsEnd(nowMillis)) {
                idleness.ask(nowMillis);
                idleness.answer(entries.stream()
                        .takeWhile(entry -> entry.atMillis() <= nowMillis)
                        .count());
            }
            return isIdle;
        }
    }

    /** A job that reads the log, from its beginning until everything is measured. */
    private static final class Reading implements AutoCloseable {
        private record Snapshot(int[] positions, Object join, List<OperatorSubtaskState> bounds) {}

        private final List<List<Entry>> log = new ArrayList<>();
        private final Random random;
        private final Subtasks join;
        private final List<Snapshot> snapshots = new ArrayList<>();
        private final List<Measurement> rows = new ArrayList<>();

        /** By subtask, behind its join. */
        private final List<BoundsHarness> bounds = new ArrayList<>();

        /** By subtask of the source; all read all observations. */
        private final List<List<Split>> sources = new ArrayList<>();

        private long[] watermarkMillis;
        private final boolean waitsForUnread;

        /** When the last record was appended. */
        private final long lastMillis;

        private long nowMillis;

        Reading(List<Entry> all, Random random, Subtasks join, Flaw flaw) {
            waitsForUnread = flaw != Flaw.SILENCE_ALONE;
            for (int split = 0; split < SPLITS; split++) {
                int own = split;
                log.add(all.stream().filter(entry -> entry.split() == own).toList());
            }
            this.random = random;
            this.join = join;
            long first = all.get(0).atMillis();
            lastMillis = all.get(all.size() - 1).atMillis();
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
                    join.align();
                    flow();
                    snapshots.add(new Snapshot(positions(), join.snapshot(), JoinHarness.snapshot(bounds)));
                }
                if (kills > 0 && random.nextInt(100) == 0) {
                    kills--;
                    close();
                    nowMillis += random.nextInt(60_000);
                    start(snapshots.isEmpty() ? null : snapshots.get(random.nextInt(snapshots.size())));
                }
            }
            // More observations come, while all other partitions become idle.
            for (int second = 0; second < 15; second++) {
                nowMillis += 1_000;
                for (int source = 0; source < sources.size(); source++) {
                    for (Split split : sources.get(source)) {
                        if (split.id >= OBSERVATIONS) {
                            split.idleness.use(nowMillis);
                            split.reachedMillis = lastMillis;
                        }
                    }
                    tellTime(source);
                }
                join.align();
                flow();
            }
            return rows;
        }

        private void start(Snapshot from) throws Exception {
            int parallelism = join.start(from == null ? null : from.join());
            bounds.clear();
            for (int subtask = 0; subtask < parallelism; subtask++) {
                BoundsHarness harness = new BoundsHarness(PARTITIONS, MAX_PARALLELISM, parallelism, subtask);
                JoinHarness.open(
                        harness, from == null ? List.of() : from.bounds(), MAX_PARALLELISM, parallelism, subtask);
                bounds.add(harness);
            }
            sources.clear();
            // A source does not store its watermarks.
            watermarkMillis = new long[parallelism];
            Arrays.fill(watermarkMillis, Long.MIN_VALUE);
            for (int source = 0; source < parallelism; source++) {
                int reader = source;
                sources.add(IntStream.range(0, SPLITS)
                        .filter(split -> split >= OBSERVATIONS
                                || PARTITIONS.owner(split % SimulatedLog.PARTITIONS, parallelism, MAX_PARALLELISM)
                                        == reader)
                        .mapToObj(split -> new Split(
                                split,
                                log.get(split),
                                from == null ? 0 : from.positions()[split],
                                1 + random.nextInt(29),
                                nowMillis))
                        .toList());
            }
        }

        /** By partition; of observations, the earliest of all subtasks. */
        private int[] positions() {
            int[] positions = new int[SPLITS];
            Arrays.fill(positions, Integer.MAX_VALUE);
            sources.forEach(splits ->
                    splits.forEach(split -> positions[split.id] = Math.min(positions[split.id], split.position)));
            return positions;
        }

        private boolean isAtTheEnd() {
            return sources.stream().flatMap(List::stream).allMatch(split -> split.position == split.entries.size());
        }

        /** Reads a part of what there is, the partitions in any order. */
        private void readSome() throws Exception {
            for (int source :
                    shuffled(IntStream.range(0, sources.size()).boxed().toList())) {
                for (Split split : shuffled(sources.get(source))) {
                    if (random.nextInt(200) == 0) {
                        split.heldUpUntilMillis = nowMillis + random.nextInt(60_000);
                    }
                    boolean isHeldUp = nowMillis < split.heldUpUntilMillis;
                    for (int left = isHeldUp ? 0 : random.nextInt(split.speed + 1);
                            left > 0 && split.hasUnread(nowMillis);
                            left--) {
                        take(source, split.next(nowMillis));
                    }
                    if (random.nextInt(3) == 0) {
                        tellTime(source);
                    }
                }
                tellTime(source);
            }
            join.receive();
            flow();
        }

        private <T> List<T> shuffled(List<T> all) {
            List<T> order = new ArrayList<>(all);
            Collections.shuffle(order, random);
            return order;
        }

        private void take(int source, Entry entry) throws Exception {
            if (entry.event() != null) {
                LoggedEvent event = Events.logged(entry.event(), entry.partition());
                event.place(SampledEvent.NO_LOG, entry.stampMillis(), true);
                join.send(source, event);
            }
        }

        /** As the sources do: idle partitions do not count. */
        private void tellTime(int source) throws Exception {
            OptionalLong least = sources.get(source).stream()
                    .filter(split -> !split.isIdle(nowMillis, waitsForUnread))
                    .mapToLong(split -> split.reachedMillis)
                    .min();
            if (least.orElse(0) > 0) {
                watermarkMillis[source] =
                        Math.max(watermarkMillis[source], least.getAsLong() - SimulatedLog.OUT_OF_ORDER_MILLIS - 1);
            }
            join.tell(source, watermarkMillis[source], least.isEmpty());
        }

        private void flow() throws Exception {
            for (int subtask = 0; subtask < bounds.size(); subtask++) {
                BoundsHarness behind = bounds.get(subtask);
                for (StreamRecord<Measurement> row : join.takeRows(subtask)) {
                    behind.processElement(row.getValue(), row.getTimestamp());
                }
                rows.addAll(behind.extractOutputValues());
                behind.getOutput().clear();
            }
        }

        @Override
        public void close() throws Exception {
            join.close();
            for (BoundsHarness subtask : bounds) {
                subtask.close();
            }
        }
    }
}
