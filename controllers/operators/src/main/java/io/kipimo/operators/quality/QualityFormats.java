package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.OpenQueryFormat;
import io.kipimo.core.quality.join.OpenQueryFormat.EventFormat;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.types.Coder;
import io.kipimo.operators.types.EventFormats;
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
            (in, version) -> new StoredPartitionTime(in.readInt(), readTime(in)));

    /** An open query in state, written by {@link OpenQueryFormat}. */
    static final Format<OpenQuery> OPEN_QUERY =
            Format.of("open-query", OpenQueryFormat.VERSION, OpenQuery.class, QueryCoder::new);

    /** State of a {@link QueryJoinOperator}: open queries of a partition. */
    static final Format<StoredPartition> STORED_PARTITION =
            Format.of("stored-partition", 1, StoredPartition.class, StoredPartition.PartCoder::new);

    /** State of a {@link QueryJoinOperator}: queries removed from a partition. */
    static final Format<StoredForgotten> STORED_FORGOTTEN = Format.derived("stored-forgotten", StoredForgotten.class);

    /** State of a {@link QueryJoinOperator}: sampling of a partition's backlog. */
    static final Format<StoredBacklog> STORED_BACKLOG = Format.derived("stored-backlog", StoredBacklog.class);

    /** State of an {@link ExpiredBoundsOperator}. */
    static final Format<StoredBounds> STORED_BOUNDS = Format.derived("stored-bounds", StoredBounds.class);

    /** An event or a policy on its way to the join. */
    public static final Format<JoinInput> JOIN_INPUT = Format.of("join-input", 1, JoinInput.class, JoinInputCoder::new);

    /** An observation, written as its position, its key, and its message. */
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
                STORED_BOUNDS,
                JOIN_INPUT,
                LOGGED_OBSERVATION);
    }

    private static void write(StoredPartitionTime one, DataOutputView out) throws IOException {
        out.writeInt(one.place());
        PartitionTime time = one.time();
        out.writeLong(time.reachedMillis());
        out.writeLong(time.appendedMillis());
        out.writeLong(time.silentUntilMillis());
    }

    private static PartitionTime readTime(DataInputView in) throws IOException {
        return new PartitionTime(in.readLong(), in.readLong(), in.readLong());
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

    /**
     * Codes all inputs of the join except {@link UnreadEvent} and {@link DeferredEvent}, which never leave their task.
     */
    private static final class JoinInputCoder implements Coder<JoinInput> {
        private static final int EVENT = 0;
        private static final int REWRITTEN = 1;
        private static final int POLICY = 2;
        private static final int TIME = 3;
        private static final int FEED_TIME = 4;

        private final Coder<LoggedEvent> events = EventFormats.EVENT.coder();

        @Override
        public void write(JoinInput input, DataOutputView out) throws IOException {
            if (input instanceof LoggedEvent event) {
                out.writeByte(EVENT);
                events.write(event, out);
            } else if (input instanceof RewrittenInput rewritten) {
                out.writeByte(REWRITTEN);
                events.write(rewritten.event(), out);
            } else if (input instanceof PolicyInput policy) {
                out.writeByte(POLICY);
                out.writeInt(policy.key());
                Format.writeMessage(Codecs.POLICY, policy.policy(), out);
            } else if (input instanceof TimeInput time) {
                out.writeByte(TIME);
                out.writeLong(time.eventTimeMillis());
            } else if (input instanceof FeedTime time) {
                out.writeByte(FEED_TIME);
                out.writeInt(time.feed());
                out.writeInt(time.feeds());
                out.writeLong(time.eventTimeMillis());
                out.writeBoolean(time.isIdle());
                out.writeInt(time.key());
            } else {
                throw new IllegalStateException(
                        "the heads of events left their task; allowed: operator chaining enabled, or join.backlog-rate 1");
            }
        }

        @Override
        public JoinInput read(DataInputView in, int version) throws IOException {
            int kind = in.readByte();
            if (kind == POLICY) {
                int key = in.readInt();
                return new PolicyInput(Format.readMessage(Codecs.POLICY, in), key);
            }
            if (kind == TIME) {
                return new TimeInput(in.readLong());
            }
            if (kind == FEED_TIME) {
                return new FeedTime(in.readInt(), in.readInt(), in.readLong(), in.readBoolean(), in.readInt());
            }
            LoggedEvent event = events.read(in, EventFormats.EVENT.version());
            return kind == EVENT ? event : new RewrittenInput(event);
        }
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

    /** Format of the events in an open query, which are all {@link LoggedEvent}s. */
    private static final class LoggedEvents implements EventFormat {
        /** Created at the first read: it has large tables, and snapshots only write. */
        private EventScanner scanner;

        @Override
        public void write(SampledEvent event, DataOutput out) throws IOException {
            ((LoggedEvent) event).write(out);
        }

        @Override
        public LoggedEvent read(DataInput in) throws IOException {
            scanner = scanner == null ? new EventScanner() : scanner;
            return scanner.read(in);
        }
    }
}
