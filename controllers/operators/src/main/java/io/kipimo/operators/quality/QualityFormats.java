package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.OpenQueryFormat;
import io.kipimo.core.quality.join.OpenQueryFormat.EventFormat;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.types.Coder;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatCatalogue;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of the quality job. */
public final class QualityFormats implements FormatCatalogue {
    /** State of {@link PartitionTimes}. */
    static final Format<StoredPartitionTime> PARTITION_TIME = Format.of(
            "partition-time",
            1,
            StoredPartitionTime.class,
            QualityFormats::write,
            (in, version) -> new StoredPartitionTime(in.readInt(), readTime(in)),
            one -> new StoredPartitionTime(one.place(), copy(one.time())));

    /** An open query in state, by {@link OpenQueryFormat}. */
    static final Format<OpenQuery> OPEN_QUERY =
            Format.of("open-query", OpenQueryFormat.VERSION, OpenQuery.class, QueryCoder::new);

    /** State of a {@link LocalQueryJoinOperator}. */
    static final Format<StoredPartition> STORED_PARTITION = Format.of(
            "stored-partition",
            1,
            StoredPartition.class,
            StoredPartition::write,
            (in, version) -> StoredPartition.read(in));

    /** State of a {@link LocalQueryJoinOperator}. */
    static final Format<StoredForgotten> STORED_FORGOTTEN = Format.derived("stored-forgotten", StoredForgotten.class);

    /** State of a {@link LocalQueryJoinOperator}. */
    static final Format<StoredBacklog> STORED_BACKLOG = Format.derived("stored-backlog", StoredBacklog.class);

    /** Never leaves its task. */
    public static final Format<JoinInput> JOIN_INPUT = Format.of(
            "join-input",
            1,
            JoinInput.class,
            (input, out) -> {
                throw leftTask();
            },
            (in, version) -> {
                throw leftTask();
            });

    /** An observation as its position, its key, and its message. */
    public static final Format<LoggedObservation> LOGGED_OBSERVATION = Format.of(
            "logged-observation",
            1,
            LoggedObservation.class,
            QualityFormats::write,
            (in, version) -> readObservation(in));

    @Override
    public List<Format<?>> formats() {
        return List.of(
                PARTITION_TIME,
                OPEN_QUERY,
                STORED_PARTITION,
                STORED_FORGOTTEN,
                STORED_BACKLOG,
                JOIN_INPUT,
                LOGGED_OBSERVATION);
    }

    private static IllegalStateException leftTask() {
        return new IllegalStateException(
                "the local join is not chained to its source; allowed: operator chaining enabled, or join.path KEYED");
    }

    private static void write(StoredPartitionTime one, DataOutputView out) throws IOException {
        out.writeInt(one.place());
        out.writeLong(one.time().reachedMillis());
        out.writeLong(one.time().appendedMillis());
        out.writeLong(one.time().silentUntilMillis());
    }

    private static PartitionTime readTime(DataInputView in) throws IOException {
        return new PartitionTime(in.readLong(), in.readLong(), in.readLong());
    }

    private static PartitionTime copy(PartitionTime time) {
        return new PartitionTime(time.reachedMillis(), time.appendedMillis(), time.silentUntilMillis());
    }

    private static void write(LoggedObservation logged, DataOutputView out) throws IOException {
        out.writeInt(logged.partition());
        out.writeLong(logged.offset());
        Format.writeBytes(logged.key(), out);
        Format.writeMessage(Codecs.OBSERVATION, logged.observation(), out);
    }

    private static LoggedObservation readObservation(DataInputView in) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] key = Format.readBytes(in);
        return new LoggedObservation(Format.readMessage(Codecs.OBSERVATION, in), partition, offset, key);
    }

    private static final class QueryCoder implements Coder<OpenQuery> {
        private final OpenQueryFormat format = new OpenQueryFormat(new LoggedEvents());

        @Override
        public void write(OpenQuery query, DataOutputView out) throws IOException {
            format.write(query, out);
        }

        @Override
        public OpenQuery read(DataInputView in, int version) throws IOException {
            return format.read(in, version);
        }

        @Override
        public OpenQuery copy(OpenQuery query) {
            return query.copy();
        }
    }

    /** Format of events, which are {@link LoggedEvent}s here. */
    private static final class LoggedEvents implements EventFormat {
        private final EventScanner scanner = new EventScanner();

        @Override
        public void write(SampledEvent event, DataOutput out) throws IOException {
            ((LoggedEvent) event).write(out);
        }

        @Override
        public LoggedEvent read(DataInput in) throws IOException {
            return scanner.read(in);
        }
    }
}
