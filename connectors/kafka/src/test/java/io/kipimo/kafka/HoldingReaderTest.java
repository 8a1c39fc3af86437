package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.observation.Observation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.streaming.api.operators.source.TimestampsAndWatermarks;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.io.PushingAsyncDataInput.DataOutput;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What event time a source has while some of its partitions are held up, in Flink's own code of watermarks. */
class HoldingReaderTest {
    private static final TopicPartition ANSWERS = new TopicPartition("answers", 0);
    private static final TopicPartition PARTIALS = new TopicPartition("partials", 0);
    private static final TopicPartition POLICIES = new TopicPartition("policies", 0);
    private static final SourceSettings SETTINGS = SourceSettings.of("test");
    private static final long OUT_OF_ORDER = SETTINGS.outOfOrderness().toMillis() + 1;

    private final ManualClock clock = new ManualClock();
    private final SimulatedPartitions log = new SimulatedPartitions();
    private final Recorder flink = new Recorder();
    private SourceReader<Either<DeadLetter, Observation>, KafkaPartitionSplit> reader = holding();
    private WatermarkStrategy<Either<DeadLetter, Observation>> strategy =
            GoodRecordWatermarks.strategy(SETTINGS, Observation::secondMillis, () -> Long.MAX_VALUE);
    private TimestampsAndWatermarks<Either<DeadLetter, Observation>> eventTime;
    private ReaderOutput<Either<DeadLetter, Observation>> output;

    private HoldingReader<Observation> holding() {
        return new HoldingReader<>(
                log,
                log.positions,
                () -> log,
                POLICIES.topic()::equals,
                SETTINGS.idleness().toMillis(),
                new HoldingReader.Pace(
                        () -> TimeUnit.NANOSECONDS.toMillis(clock.relativeTimeNanos()),
                        () -> CompletableFuture.completedFuture(null)),
                new UnregisteredMetricsGroup());
    }

    private void start(TopicPartition... partitions) {
        eventTime = TimestampsAndWatermarks.createProgressiveEventTimeLogic(
                strategy,
                new UnregisteredMetricsGroup(),
                new TestProcessingTimeService(),
                200,
                clock,
                clock,
                UnregisteredMetricGroups.createUnregisteredTaskMetricGroup().getIOMetricGroup());
        output = eventTime.createMainOutput(flink, flink);
        List<KafkaPartitionSplit> splits = List.of(partitions).stream()
                .map(partition -> new KafkaPartitionSplit(partition, 0))
                .toList();
        splits.forEach(split -> output.createOutputForSplit(split.splitId()));
        reader.addSplits(splits);
    }

    /** Seconds pass; in each, partitions get a record, and are read unless they are held up. */
    private void pass(int seconds, TopicPartition... written) throws Exception {
        for (int second = 0; second < seconds; second++) {
            clock.advanceTime(Duration.ofSeconds(1));
            for (TopicPartition partition : written) {
                log.write(partition, nowMillis());
            }
            reader.pollNext(output);
            eventTime.emitImmediateWatermark(0);
        }
    }

    private long nowMillis() {
        return NOW + TimeUnit.NANOSECONDS.toMillis(clock.relativeTimeNanos());
    }

    @Test
    void aPartitionThatIsHeldUpAloneHoldsEventTimeForAll() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        long last = nowMillis();
        log.heldUp.add(PARTIALS);
        pass(300, ANSWERS, PARTIALS);
        assertThat(flink.watermark).isEqualTo(last - OUT_OF_ORDER);
        log.heldUp.clear();
        pass(1, ANSWERS, PARTIALS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    /** The test can fail: silence alone makes the partition idle. */
    @Test
    void flinksIdlenessWouldNotWaitForIt() throws Exception {
        reader = log;
        strategy = WatermarkStrategy.<Either<DeadLetter, Observation>>forBoundedOutOfOrderness(
                        SETTINGS.outOfOrderness())
                .withIdleness(SETTINGS.idleness())
                .withTimestampAssigner((found, millis) -> found.right().secondMillis());
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        log.heldUp.add(PARTIALS);
        pass(300, ANSWERS, PARTIALS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    @Test
    void recordsThatWereFetchedButNotPassedOnHoldIt() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        long last = nowMillis();
        log.write(PARTIALS, last + 1);
        log.fetch(PARTIALS);
        log.heldUp.add(PARTIALS);
        pass(300, ANSWERS);
        assertThat(flink.watermark).isEqualTo(last - OUT_OF_ORDER);
    }

    @Test
    void anIdlePartitionHoldsItAgainWhileItsNewRecordsAreNotRead() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        pass(60, ANSWERS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
        log.heldUp.add(PARTIALS);
        pass(300, ANSWERS, PARTIALS);
        assertThat(flink.watermark).isLessThan(nowMillis() - 290_000);
    }

    @Test
    void aReaderAllOfWhosePartitionsAreIdleIsIdleUntilOneHasUnreadRecords() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        pass(60);
        assertThat(flink.isIdle).isTrue();
        log.heldUp.add(PARTIALS);
        pass(10, PARTIALS);
        assertThat(flink.isIdle).isFalse();
        log.heldUp.clear();
        pass(1);
        pass(60);
        assertThat(flink.isIdle).isTrue();
    }

    @Test
    void anEmptyPartitionIsIdleWhateverRetentionAndCommitsLeft() throws Exception {
        log.leastPosition.put(PARTIALS, 40L);
        log.ends.put(PARTIALS, 40L);
        start(ANSWERS, PARTIALS);
        pass(60, ANSWERS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    @Test
    void anOpenTransactionHoldsItAndMarkersAtTheEndDoNot() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        long last = nowMillis();
        // Three records that nobody may read.
        log.ends.merge(PARTIALS, 3L, Long::sum);
        pass(300, ANSWERS);
        assertThat(flink.watermark).isEqualTo(last - OUT_OF_ORDER);
        // They are aborted; the client passes them and the marker.
        log.ends.merge(PARTIALS, 1L, Long::sum);
        log.fetch(PARTIALS);
        pass(5, ANSWERS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    @Test
    void aBrokerThatDoesNotAnswerHoldsIt() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        long last = nowMillis();
        log.isAway = true;
        pass(300, ANSWERS);
        assertThat(flink.watermark).isEqualTo(last - OUT_OF_ORDER);
        log.isAway = false;
        pass(5, ANSWERS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    @Test
    void policiesNeverHoldIt() throws Exception {
        start(ANSWERS, POLICIES);
        log.isAway = true;
        pass(5, ANSWERS);
        assertThat(flink.watermark).isEqualTo(nowMillis() - OUT_OF_ORDER);
    }

    /** It may be the next to be read, and Flink does not resume idle ones. */
    @Test
    void aPausedPartitionIsNotIdle() throws Exception {
        start(ANSWERS, PARTIALS);
        pass(5, ANSWERS, PARTIALS);
        reader.pauseOrResumeSplits(Set.of(PARTIALS.toString()), Set.of());
        pass(60, ANSWERS);
        assertThat(flink.idleSplits).isEmpty();
        reader.pauseOrResumeSplits(Set.of(), Set.of(PARTIALS.toString()));
        pass(5, ANSWERS);
        assertThat(flink.idleSplits).containsExactly(PARTIALS.toString());
    }

    @Test
    void aReaderWithoutPartitionsIsIdle() throws Exception {
        start();
        pass(5);
        assertThat(flink.isIdle).isFalse();
        pass(10);
        assertThat(flink.isIdle).isTrue();
    }

    /** A log, its brokers, and a reader of it. */
    private static final class SimulatedPartitions
            implements SourceReader<Either<DeadLetter, Observation>, KafkaPartitionSplit>, LogEnds {
        final ReadPositions positions = new ReadPositions();
        final Map<TopicPartition, Long> ends = new HashMap<>();
        final Map<TopicPartition, Long> leastPosition = new HashMap<>();
        final Set<TopicPartition> heldUp = new HashSet<>();
        boolean isAway;
        private final KafkaRecordDeserializationSchema<Either<DeadLetter, Observation>> schema =
                positions.following(new Observations());
        private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> unread = new HashMap<>();
        private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched = new HashMap<>();

        void write(TopicPartition partition, long millis) {
            long offset = ends.merge(partition, 1L, Long::sum) - 1;
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
            unread.computeIfAbsent(partition, p -> new ArrayList<>())
                    .add(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, value));
        }

        /** Takes all that may be read, and passes the rest. */
        void fetch(TopicPartition partition) {
            List<ConsumerRecord<byte[], byte[]>> records = List.copyOf(unread.getOrDefault(partition, List.of()));
            positions.fetch(new ConsumerRecords<>(
                    records.isEmpty() ? Map.of() : Map.of(partition, records),
                    Map.of(partition, new OffsetAndMetadata(ends.get(partition)))));
            fetched.computeIfAbsent(partition, p -> new ArrayList<>()).addAll(records);
            unread.remove(partition);
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Either<DeadLetter, Observation>> output) throws Exception {
            Set<TopicPartition> readable = new HashSet<>(unread.keySet());
            readable.removeAll(heldUp);
            readable.forEach(this::fetch);
            for (TopicPartition partition : List.copyOf(fetched.keySet())) {
                if (!heldUp.contains(partition)) {
                    SourceOutput<Either<DeadLetter, Observation>> own =
                            output.createOutputForSplit(partition.toString());
                    for (ConsumerRecord<byte[], byte[]> entry : fetched.put(partition, new ArrayList<>())) {
                        schema.deserialize(entry, new ListCollector<>(new ArrayList<>()) {
                            @Override
                            public void collect(Either<DeadLetter, Observation> found) {
                                own.collect(found, found.right().secondMillis());
                            }
                        });
                    }
                }
            }
            return InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        public Map<TopicPartition, CompletableFuture<LogEnd>> ask(
                Collection<TopicPartition> partitions, Set<TopicPartition> unfetched) {
            return partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> {
                if (isAway) {
                    return CompletableFuture.failedFuture(new IllegalStateException("away"));
                }
                long least = unfetched.contains(partition) ? leastPosition.getOrDefault(partition, 0L) : 0;
                return CompletableFuture.completedFuture(new LogEnd(least, ends.getOrDefault(partition, 0L)));
            }));
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return new CompletableFuture<>();
        }

        @Override
        public List<KafkaPartitionSplit> snapshotState(long checkpoint) {
            return List.of();
        }

        @Override
        public void addSplits(List<KafkaPartitionSplit> added) {}

        @Override
        public void pauseOrResumeSplits(Collection<String> splitsToPause, Collection<String> splitsToResume) {}

        @Override
        public void notifyNoMoreSplits() {}

        @Override
        public void start() {}

        @Override
        public void close() {}
    }

    private static final class Observations
            implements KafkaRecordDeserializationSchema<Either<DeadLetter, Observation>> {
        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> entry, Collector<Either<DeadLetter, Observation>> out) {
            out.collect(Either.Right(
                    Entries.observation(ByteBuffer.wrap(entry.value()).getLong())));
        }

        @Override
        public TypeInformation<Either<DeadLetter, Observation>> getProducedType() {
            throw new UnsupportedOperationException();
        }
    }

    /** What Flink makes of it. */
    private static final class Recorder
            implements DataOutput<Either<DeadLetter, Observation>>, TimestampsAndWatermarks.WatermarkUpdateListener {
        long watermark;
        boolean isIdle;
        final Set<String> idleSplits = new HashSet<>();

        @Override
        public void emitRecord(StreamRecord<Either<DeadLetter, Observation>> found) {}

        @Override
        public void emitWatermark(Watermark mark) {
            watermark = mark.getTimestamp();
        }

        @Override
        public void emitWatermarkStatus(WatermarkStatus status) {
            isIdle = status.isIdle();
        }

        @Override
        public void emitLatencyMarker(LatencyMarker marker) {}

        @Override
        public void emitRecordAttributes(RecordAttributes attributes) {}

        @Override
        public void emitWatermark(WatermarkEvent mark) {}

        @Override
        public void updateIdle(boolean idle) {}

        @Override
        public void updateCurrentEffectiveWatermark(long millis) {}

        @Override
        public void updateCurrentSplitWatermark(String split, long millis) {}

        @Override
        public void updateCurrentSplitIdle(String split, boolean idle) {
            if (idle) {
                idleSplits.add(split);
            } else {
                idleSplits.remove(split);
            }
        }

        @Override
        public void splitFinished(String split) {}
    }
}
