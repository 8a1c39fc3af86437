package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.AnswerFields;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.ScoredIds;
import java.io.DataOutput;
import java.io.IOException;

/**
 * An answer or a partial result from the log: its position, and the bytes of its message, which {@link EventScanner}
 * has checked. It has the same content as the {@link QueryEvent} of these bytes, but builds no objects: each call of
 * {@link #items} reads the items from the bytes. Callers must not change the shared bytes and arrays. Immutable once
 * its reader has called {@link #place}.
 */
public final class LoggedEvent implements SampledEvent, JoinInput {
    private final byte[] wire;
    private final int partition;
    private final long offset;
    private final QueryKey key;
    private final long startedAtMillis;
    private final long eventTimeMillis;
    private final boolean truncated;
    private final WireItems items;
    private final AnswerFields answer;
    private long watermarkMillis = NO_LOG;
    private long appendWatermarkMillis = NO_LOG;
    private boolean proven = true;

    // Set in partial results; null or 0 in answers.
    private final String component;
    private final Phase phase;
    private final long latencyMicros;
    private final boolean knowsStart;

    /** Creates an answer. */
    LoggedEvent(
            byte[] wire,
            int partition,
            long offset,
            QueryKey key,
            long startedAtMillis,
            long answeredAtMillis,
            boolean truncated,
            WireItems items,
            AnswerFields answer) {
        this.wire = wire;
        this.partition = partition;
        this.offset = offset;
        this.key = key;
        this.startedAtMillis = startedAtMillis;
        this.eventTimeMillis = answeredAtMillis;
        this.truncated = truncated;
        this.items = items;
        this.answer = answer;
        this.component = null;
        this.phase = null;
        this.latencyMicros = 0;
        this.knowsStart = true;
    }

    /**
     * Creates a partial result.
     *
     * @param startedAtMillis start of the query, epoch milliseconds; 0: unknown
     */
    LoggedEvent(
            byte[] wire,
            int partition,
            long offset,
            QueryKey key,
            long startedAtMillis,
            long completedAtMillis,
            boolean truncated,
            WireItems items,
            String component,
            Phase phase,
            long latencyMicros) {
        this.wire = wire;
        this.partition = partition;
        this.offset = offset;
        this.key = key;
        this.knowsStart = startedAtMillis > 0;
        this.startedAtMillis = knowsStart ? startedAtMillis : completedAtMillis - latencyMicros / 1000;
        this.eventTimeMillis = completedAtMillis;
        this.truncated = truncated;
        this.items = items;
        this.answer = AnswerFields.NONE;
        this.component = component;
        this.phase = phase;
        this.latencyMicros = latencyMicros;
    }

    /** The bytes of the AnswerProto or PartialResultProto. */
    public byte[] wire() {
        return wire;
    }

    /** Partition of the topic that the event was read from. */
    public int partition() {
        return partition;
    }

    public long offset() {
        return offset;
    }

    /**
     * Sets the values of {@link #watermarkMillis}, {@link #appendWatermarkMillis} and {@link #isProven}: how far the
     * event's partition had come. Only the event's reader may call this, before it passes the event on.
     */
    public void place(long ofPartitionMillis, long ofAppendMillis, boolean isProven) {
        watermarkMillis = ofPartitionMillis;
        appendWatermarkMillis = ofAppendMillis;
        proven = isProven;
    }

    @Override
    public long watermarkMillis() {
        return watermarkMillis;
    }

    @Override
    public long appendWatermarkMillis() {
        return appendWatermarkMillis;
    }

    @Override
    public boolean isProven() {
        return proven;
    }

    @Override
    public boolean isAnswer() {
        return component == null;
    }

    @Override
    public QueryKey key() {
        return key;
    }

    @Override
    public long startedAtMillis() {
        return startedAtMillis;
    }

    @Override
    public boolean knowsStart() {
        return knowsStart;
    }

    @Override
    public long eventTimeMillis() {
        return eventTimeMillis;
    }

    @Override
    public boolean isTruncated() {
        return truncated;
    }

    @Override
    public AnswerFields answerFields() {
        return answer;
    }

    @Override
    public String component() {
        return component;
    }

    @Override
    public Phase phase() {
        return phase;
    }

    @Override
    public long latencyMicros() {
        return latencyMicros;
    }

    @Override
    public Items items() {
        return items.toItems();
    }

    @Override
    public ScoredIds scoredIds() {
        return items.isTexts() ? items() : items;
    }

    /** Stores the event for {@link EventScanner#read}. The format must never change. */
    public void write(DataOutput out) throws IOException {
        out.writeBoolean(isAnswer());
        out.writeInt(partition);
        out.writeLong(offset);
        out.writeInt(wire.length);
        out.write(wire);
    }

    /** Decodes the bytes to a record. */
    public QueryEvent toQueryEvent() {
        try {
            return isAnswer()
                    ? new QueryEvent(Codecs.ANSWER.decode(wire), null, partition, offset)
                    : new QueryEvent(null, Codecs.PARTIAL_RESULT.decode(wire), partition, offset);
        } catch (InvalidRecordException e) {
            throw new IllegalStateException("a checked event is refused: " + e.getMessage(), e);
        }
    }
}
