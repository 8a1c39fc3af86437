package io.kipimo.kafka;

import io.kipimo.core.quality.join.PartitionIdleness;
import io.kipimo.kafka.LogEnds.LogEnd;
import io.kipimo.operators.metrics.SourceMetrics;
import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.types.Either;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps another reader, and declares which partitions are idle ({@link PartitionIdleness}). All other partitions hold
 * back event time. Flink's own idleness does not suffice: it measures how long no record came out of the reader, even
 * while records wait to be read.
 *
 * <p>The reader itself is active while any of its partitions is. Only the task's thread may use it.
 */
final class HoldingReader<T> implements SourceReader<Either<DeadLetter, T>, KafkaPartitionSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(HoldingReader.class);

    /** Gauge: number of silent partitions that may have unread records, as far as the reader knows. */
    static final String HELD_PARTITIONS = "heldPartitions";

    private final SourceReader<Either<DeadLetter, T>, KafkaPartitionSplit> reader;
    private final ReadPositions positions;
    private final Supplier<LogEnds> connection;
    private final Predicate<String> isTimeless;
    private final long idleMillis;
    private final Pace pace;
    private final long startMillis;
    private final Map<String, HeldSplit> splits = new LinkedHashMap<>();
    private final Set<String> paused = new HashSet<>();

    /** Completes when the next check is due, and then wakes up the task. */
    private CompletableFuture<Void> nextCheck = CompletableFuture.completedFuture(null);

    private LogEnds ends;
    private HeldOutput output;
    private volatile int held;

    /**
     * Times at which the partitions are checked.
     *
     * @param clock clock in milliseconds, which never goes back
     * @param nextCheck returns a future that completes at the time of the next check
     */
    record Pace(LongSupplier clock, Supplier<CompletableFuture<Void>> nextCheck) {
        static final Pace EACH_SECOND =
                new Pace(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), () -> new CompletableFuture<Void>()
                        .completeOnTimeout(null, 1, TimeUnit.SECONDS));
    }

    /** A partition, and the idleness that this reader last declared for it. */
    private static final class HeldSplit {
        private final TopicPartition partition;
        private final long startOffset;
        private final PartitionIdleness idleness;
        private long leastPosition;
        private CompletableFuture<LogEnd> question;
        private boolean isUsed;
        private boolean isIdle;

        HeldSplit(KafkaPartitionSplit split, PartitionIdleness idleness) {
            partition = split.getTopicPartition();
            startOffset = split.getStartingOffset();
            this.idleness = idleness;
        }
    }

    /**
     * @param positions positions of {@code reader} in its partitions
     * @param connection opens a connection to the brokers; called once a partition is silent
     * @param isTimeless whether a topic's records have no event time, so that its partitions are always idle
     * @param idleMillis silence that makes a partition idle once it is read to its end, milliseconds
     */
    HoldingReader(
            SourceReader<Either<DeadLetter, T>, KafkaPartitionSplit> reader,
            ReadPositions positions,
            Supplier<LogEnds> connection,
            Predicate<String> isTimeless,
            long idleMillis,
            Pace pace,
            MetricGroup metrics) {
        this.reader = reader;
        this.positions = positions;
        this.connection = connection;
        this.isTimeless = isTimeless;
        this.idleMillis = idleMillis;
        this.pace = pace;
        startMillis = pace.clock().getAsLong();
        metrics.addGroup(SourceMetrics.GROUP).gauge(HELD_PARTITIONS, () -> held);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Either<DeadLetter, T>> main) throws Exception {
        if (output == null) {
            output = new HeldOutput(main);
        }
        if (nextCheck.isDone()) {
            nextCheck = pace.nextCheck().get();
            check(pace.clock().getAsLong());
        }
        return reader.pollNext(output);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The task waits for what it gets.
    public CompletableFuture<Void> isAvailable() {
        CompletableFuture<Void> available = reader.isAvailable();
        return available.isDone()
                ? available
                : CompletableFuture.anyOf(available, nextCheck).thenApply(first -> null);
    }

    /** Declares which partitions are idle, and asks the brokers where silent partitions end. */
    private void check(long nowMillis) {
        Map<TopicPartition, HeldSplit> asking = new HashMap<>();
        boolean isIdle = !splits.isEmpty() || nowMillis - startMillis >= idleMillis;
        int unknown = 0;
        for (Map.Entry<String, HeldSplit> entry : splits.entrySet()) {
            HeldSplit split = entry.getValue();
            takeAnswer(split);
            if (split.isUsed) {
                split.isUsed = false;
                split.isIdle = false;
                split.idleness.use(nowMillis);
            }
            boolean isTimelessSplit = isTimeless.test(split.partition.topic());
            boolean isAtEnd = split.idleness.isIdle(position(split), nowMillis);
            // Flink does not resume idle splits. One that is paused is ahead, so it holds back nothing.
            declare(entry.getKey(), split, isTimelessSplit || (isAtEnd && !paused.contains(entry.getKey())));
            isIdle &= split.isIdle;
            if (!isTimelessSplit) {
                unknown += split.idleness.isSilent(nowMillis) && !isAtEnd ? 1 : 0;
                if (split.idleness.wantsEnd(nowMillis)) {
                    asking.put(split.partition, split);
                }
            }
        }
        held = unknown;
        output.declare(isIdle);
        ask(asking, nowMillis);
    }

    private long position(HeldSplit split) {
        long read = positions.position(split.partition);
        return read == ReadPositions.UNKNOWN ? Math.max(split.startOffset, split.leastPosition) : read;
    }

    private static void takeAnswer(HeldSplit split) {
        if (split.question == null || !split.question.isDone()) {
            return;
        }
        if (split.question.isCompletedExceptionally()) {
            split.idleness.failToAnswer();
        } else {
            LogEnd end = split.question.join();
            split.leastPosition = end.leastPosition();
            split.idleness.answer(end.endOffset());
        }
        split.question = null;
    }

    private void ask(Map<TopicPartition, HeldSplit> asking, long nowMillis) {
        if (asking.isEmpty()) {
            return;
        }
        if (ends == null) {
            try {
                ends = connection.get();
            } catch (KafkaException e) {
                LOG.warn("Silent partitions hold event time until brokers say where they end", e);
                return;
            }
        }
        Set<TopicPartition> unfetched = new HashSet<>(asking.keySet());
        unfetched.removeIf(partition -> positions.position(partition) != ReadPositions.UNKNOWN);
        ends.ask(asking.keySet(), unfetched).forEach((partition, question) -> {
            HeldSplit split = asking.get(partition);
            split.idleness.ask(nowMillis);
            split.question = question;
        });
    }

    private void declare(String id, HeldSplit split, boolean isIdle) {
        if (split.isIdle == isIdle) {
            return;
        }
        split.isIdle = isIdle;
        SourceOutput<Either<DeadLetter, T>> own = output.main.createOutputForSplit(id);
        if (isIdle) {
            own.markIdle();
        } else {
            own.markActive();
        }
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> added) {
        long nowMillis = pace.clock().getAsLong();
        for (KafkaPartitionSplit split : added) {
            splits.put(split.splitId(), new HeldSplit(split, new PartitionIdleness(idleMillis, nowMillis)));
        }
        reader.addSplits(added);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> splitsToPause, Collection<String> splitsToResume) {
        paused.addAll(splitsToPause);
        splitsToResume.forEach(paused::remove);
        reader.pauseOrResumeSplits(splitsToPause, splitsToResume);
    }

    /** Output that notes which records advance event time. */
    private final class HeldOutput implements ReaderOutput<Either<DeadLetter, T>> {
        private final ReaderOutput<Either<DeadLetter, T>> main;

        /** Idleness of the whole reader as last declared; null before the first declaration. */
        private Boolean isIdle;

        HeldOutput(ReaderOutput<Either<DeadLetter, T>> main) {
            this.main = main;
        }

        /**
         * Declares the whole reader idle or active. Flink itself makes a reader idle with its last partition, but does
         * not make it active again with the first.
         */
        void declare(boolean isIdle) {
            if (this.isIdle == null || this.isIdle != isIdle) {
                this.isIdle = isIdle;
                if (isIdle) {
                    main.markIdle();
                } else {
                    main.markActive();
                }
            }
        }

        @Override
        public SourceOutput<Either<DeadLetter, T>> createOutputForSplit(String id) {
            HeldSplit split = splits.get(id);
            SourceOutput<Either<DeadLetter, T>> own = main.createOutputForSplit(id);
            return new SplitOutput<>(own, () -> split.isUsed = true);
        }

        @Override
        public void releaseOutputForSplit(String id) {
            splits.remove(id);
            main.releaseOutputForSplit(id);
        }

        @Override
        public void collect(Either<DeadLetter, T> found) {
            main.collect(found);
        }

        @Override
        public void collect(Either<DeadLetter, T> found, long millis) {
            main.collect(found, millis);
        }

        @Override
        public void emitWatermark(Watermark mark) {
            main.emitWatermark(mark);
        }

        @Override
        public void markIdle() {
            main.markIdle();
        }

        @Override
        public void markActive() {
            main.markActive();
        }
    }

    private record SplitOutput<T>(SourceOutput<Either<DeadLetter, T>> own, Runnable use)
            implements SourceOutput<Either<DeadLetter, T>> {
        @Override
        public void collect(Either<DeadLetter, T> found) {
            note(found);
            own.collect(found);
        }

        @Override
        public void collect(Either<DeadLetter, T> found, long millis) {
            note(found);
            own.collect(found, millis);
        }

        private void note(Either<DeadLetter, T> found) {
            if (GoodRecordWatermarks.movesTime(found)) {
                use.run();
            }
        }

        @Override
        public void emitWatermark(Watermark mark) {
            own.emitWatermark(mark);
        }

        @Override
        public void markIdle() {
            own.markIdle();
        }

        @Override
        public void markActive() {
            own.markActive();
        }
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpoint) {
        return reader.snapshotState(checkpoint);
    }

    @Override
    public void notifyNoMoreSplits() {
        reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        reader.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        reader.notifyCheckpointComplete(checkpoint);
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
        reader.notifyCheckpointAborted(checkpoint);
    }

    @Override
    public void close() throws Exception {
        try {
            reader.close();
        } finally {
            if (ends != null) {
                ends.close();
            }
        }
    }
}
