package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An answer or a partial result from the log: its position, and the bytes of its message, which
 * {@link EventScanner} has checked. It has the same content as the {@link QueryEvent} of these
 * bytes, but builds no objects: each call reads the items from the bytes. Immutable; callers must
 * not change the shared bytes and arrays.
 */
public final class LoggedEvent implements SampledEvent, JoinInput {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    /** The components of an answer, as arrays of equal length. */
    record Invocations(String[] components, Outcome[] outcomes, long[] latenciesMicros) {}

    /** Where the items are in the bytes; all 0 without items. */
    record ItemPlaces(int count, int numbersAt, int scoresAt, int textsAt, int textsEnd) {
        static final ItemPlaces NONE = new ItemPlaces(0, 0, 0, 0, 0);
    }

    private final byte[] wire;
    private final int partition;
    private final long offset;
    private final QueryKey key;
    private final long startedAtMillis;
    private final long eventTimeMillis;
    private final boolean truncated;
    private final ItemPlaces items;

    // Set in answers; null or 0 in partial results.
    private final String queryClass;
    private final AnswerKind kind;
    private final int deadlineMillis;
    private final int topK;
    private final Invocations invocations;
    private final Unmeasurable unmeasurable;
    private final Features features;
    private final Optional<Double> notAskedLoss;
    private final boolean explored;
    private final String variant;

    // Set in partial results; null or 0 in answers.
    private final String component;
    private final Phase phase;
    private final long latencyMicros;
    private final boolean knowsStart;

    /** An answer. */
    LoggedEvent(
            byte[] wire,
            int partition,
            long offset,
            QueryKey key,
            long startedAtMillis,
            long answeredAtMillis,
            boolean truncated,
            ItemPlaces items,
            String queryClass,
            AnswerKind kind,
            int deadlineMillis,
            int topK,
            Invocations invocations,
            Unmeasurable unmeasurable,
            Features features,
            Optional<Double> notAskedLoss,
            boolean explored,
            String variant) {
        this.wire = wire;
        this.partition = partition;
        this.offset = offset;
        this.key = key;
        this.startedAtMillis = startedAtMillis;
        this.eventTimeMillis = answeredAtMillis;
        this.truncated = truncated;
        this.items = items;
        this.queryClass = queryClass;
        this.kind = kind;
        this.deadlineMillis = deadlineMillis;
        this.topK = topK;
        this.invocations = invocations;
        this.unmeasurable = unmeasurable;
        this.features = features;
        this.notAskedLoss = notAskedLoss;
        this.explored = explored;
        this.variant = variant;
        this.component = null;
        this.phase = null;
        this.latencyMicros = 0;
        this.knowsStart = true;
    }

    /**
     * A partial result.
     *
     * @param startedAtMillis start of its query, epoch milliseconds; 0: unknown
     */
    LoggedEvent(
            byte[] wire,
            int partition,
            long offset,
            QueryKey key,
            long startedAtMillis,
            long completedAtMillis,
            boolean truncated,
            ItemPlaces items,
            String component,
            Phase phase,
            long latencyMicros) {
        this.wire = wire;
        this.partition = partition;
        this.offset = offset;
        this.key = key;
        this.knowsStart = startedAtMillis > 0;
        this.startedAtMillis =
                knowsStart ? startedAtMillis : completedAtMillis - latencyMicros / 1000;
        this.eventTimeMillis = completedAtMillis;
        this.truncated = truncated;
        this.items = items;
        this.queryClass = null;
        this.kind = null;
        this.deadlineMillis = 0;
        this.topK = 0;
        this.invocations = null;
        this.unmeasurable = null;
        this.features = Features.NONE;
        this.notAskedLoss = Optional.empty();
        this.explored = false;
        this.variant = Variants.NONE;
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
    public String queryClass() {
        return queryClass;
    }

    @Override
    public AnswerKind kind() {
        return kind;
    }

    @Override
    public int deadlineMillis() {
        return deadlineMillis;
    }

    @Override
    public int topK() {
        return topK;
    }

    @Override
    public String[] invokedComponents() {
        return invocations.components();
    }

    @Override
    public Outcome[] outcomes() {
        return invocations.outcomes();
    }

    @Override
    public long[] invocationLatenciesMicros() {
        return invocations.latenciesMicros();
    }

    @Override
    public Unmeasurable unmeasurable() {
        return unmeasurable;
    }

    @Override
    public Features features() {
        return features;
    }

    @Override
    public Optional<Double> notAskedLoss() {
        return notAskedLoss;
    }

    @Override
    public boolean explored() {
        return explored;
    }

    @Override
    public String variant() {
        return variant;
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
        int count = items.count();
        if (count == 0) {
            return Items.NONE;
        }
        float[] scores = new float[count];
        for (int i = 0; i < count; i++) {
            scores[i] = (float) FLOATS.get(wire, items.scoresAt() + i * Float.BYTES);
        }
        if (items.textsEnd() > 0) {
            return Items.ofTexts(texts(count), scores);
        }
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (long) LONGS.get(wire, items.numbersAt() + i * Long.BYTES);
        }
        return Items.ofNumbers(numbers, scores);
    }

    private String[] texts(int count) {
        String[] texts = new String[count];
        WireReader reader = new WireReader(wire, items.textsAt(), items.textsEnd());
        int found = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == EventScanner.ITEMS_TEXTS) {
                int length = reader.length();
                texts[found++] =
                        new String(wire, reader.position(), length, StandardCharsets.UTF_8);
                reader.skip(length);
            } else {
                reader.skipField(tag);
            }
        }
        return texts;
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
