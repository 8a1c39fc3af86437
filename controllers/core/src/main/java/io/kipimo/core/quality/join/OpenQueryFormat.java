package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.ComponentResult;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Storage format of an {@link OpenQuery}. The caller stores the {@link #VERSION} beside the bytes. After the first
 * release, a change of the fields is a new version, and {@link #read} still reads the old ones. For one thread.
 */
public final class OpenQueryFormat {
    public static final int VERSION = 1;

    // Flags of what was not asked, of the variant, and of lateness.
    private static final int STATES_LOSS = 1;
    private static final int EXPLORED = 2;
    private static final int HAS_VARIANT = 4;
    private static final int IN_TIME = 8;
    private static final int HELD_MAY_BEGIN = 16;

    private static final Outcome[] OUTCOMES = Outcome.values();

    private static final int ANSWERED = 1;
    private static final int REPLAYED = 2;
    private static final int MEASURED = 4;
    private static final int TRUNCATED = 8;
    private static final int HOLDS_RESULTS = 16;
    private static final int REPLAY_FAILED = 32;
    private static final int REPLAY_TRUNCATED = 64;

    // Marks of a place for a result.
    private static final int ARRIVED = 1;
    private static final int KEPT = 2;
    private static final int KEPT_TRUNCATED = 3;

    /** Storage format of held events. */
    public interface EventFormat {
        void write(SampledEvent event, DataOutput out) throws IOException;

        LoggedEvent read(DataInput in) throws IOException;
    }

    private final EventFormat events;

    // Of the query that was read last; most queries have the same ones, and share them in memory.
    private String[] lastComponents = {};
    private Outcome[] lastOutcomes = {};
    private String lastClass = "";

    /** @param events format of held events without their places in the log; must be the same in every version */
    public OpenQueryFormat(EventFormat events) {
        this.events = events;
    }

    public void write(OpenQuery query, DataOutput out) throws IOException {
        out.writeByte((query.answered ? ANSWERED : 0)
                | (query.replayed ? REPLAYED : 0)
                | (query.measured ? MEASURED : 0)
                | (query.truncated ? TRUNCATED : 0)
                | (query.holdsResults() ? HOLDS_RESULTS : 0)
                | (query.replayFailed ? REPLAY_FAILED : 0)
                | (query.replayTruncated ? REPLAY_TRUNCATED : 0));
        out.writeLong(query.dueMillis());
        out.writeLong(query.earliestInvocationMillis);
        out.writeInt(query.componentCount());
        for (int place = 0; place < query.componentCount(); place++) {
            out.writeUTF(query.component(place));
        }
        for (int slot = 0; slot < query.componentCount() * OpenQuery.PHASES; slot++) {
            ComponentResult result = query.holdsResults() ? query.results[slot] : null;
            out.writeByte(mark(query.hasArrived(slot), result));
            if (result != null) {
                out.writeLong(result.eventTimeMillis());
                out.writeLong(result.latencyMicros());
                write(result.items(), out);
            }
        }
        if (query.answered) {
            out.writeUTF(query.queryClass);
            out.writeLong(query.startedAtMillis);
            out.writeLong(query.answeredAtMillis);
            out.writeInt(query.deadlineMillis);
            out.writeInt(query.topK);
            write(query.answerItems, out);
            out.writeInt(query.outcomes.length);
            for (Outcome outcome : query.outcomes) {
                out.writeByte(outcome.ordinal());
            }
            for (long latency : query.invocationLatenciesMicros) {
                out.writeLong(latency);
            }
        }
        if (query.replayed) {
            out.writeLong(query.replayStartedAtMillis);
            out.writeLong(query.replayedAtMillis);
            write(query.replayedItems, out);
        }
        out.writeLong(query.knownStartMillis);
        out.writeLong(query.earliestEventMillis);
        out.writeByte(query.features.size());
        for (long feature : query.features.hashes()) {
            out.writeLong(feature);
        }
        out.writeByte((query.notAskedLoss.isPresent() ? STATES_LOSS : 0)
                | (query.explored ? EXPLORED : 0)
                | (query.variant.isEmpty() ? 0 : HAS_VARIANT)
                | (query.inTime ? IN_TIME : 0)
                | (query.heldMayBegin ? HELD_MAY_BEGIN : 0));
        if (query.notAskedLoss.isPresent()) {
            out.writeDouble(query.notAskedLoss.get());
        }
        if (!query.variant.isEmpty()) {
            out.writeUTF(query.variant);
        }
        out.writeInt(query.held.size());
        for (SampledEvent event : query.held) {
            events.write(event, out);
            out.writeLong(event.watermarkMillis());
            out.writeLong(event.appendWatermarkMillis());
            out.writeBoolean(event.isProven());
        }
    }

    /**
     * Reads a query.
     *
     * @param version version of the bytes
     * @throws IOException if the version is unknown
     */
    public OpenQuery read(DataInput in, int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("open query has format " + version + "; allowed: " + VERSION);
        }
        OpenQuery query = new OpenQuery();
        int flags = in.readByte();
        query.answered = (flags & ANSWERED) != 0;
        query.replayed = (flags & REPLAYED) != 0;
        query.measured = (flags & MEASURED) != 0;
        query.truncated = (flags & TRUNCATED) != 0;
        query.replayFailed = (flags & REPLAY_FAILED) != 0;
        query.replayTruncated = (flags & REPLAY_TRUNCATED) != 0;
        query.setDueMillis(in.readLong());
        query.earliestInvocationMillis = in.readLong();
        String[] components = new String[in.readInt()];
        for (int place = 0; place < components.length; place++) {
            components[place] = in.readUTF();
        }
        lastComponents = Arrays.equals(components, lastComponents) ? lastComponents : components;
        query.setComponents(lastComponents);
        int slots = components.length * OpenQuery.PHASES;
        ComponentResult[] results = new ComponentResult[slots];
        for (int slot = 0; slot < slots; slot++) {
            int marks = in.readByte();
            if (marks >= ARRIVED) {
                query.setArrived(slot);
            }
            if (marks >= KEPT) {
                results[slot] = new KeptResult(in.readLong(), in.readLong(), readItems(in), marks == KEPT_TRUNCATED);
            }
        }
        if ((flags & HOLDS_RESULTS) != 0) {
            query.results = results;
        }
        if (query.answered) {
            String queryClass = in.readUTF();
            lastClass = queryClass.equals(lastClass) ? lastClass : queryClass;
            query.queryClass = lastClass;
            query.startedAtMillis = in.readLong();
            query.answeredAtMillis = in.readLong();
            query.deadlineMillis = in.readInt();
            query.topK = in.readInt();
            query.answerItems = readItems(in);
            Outcome[] outcomes = new Outcome[in.readInt()];
            for (int place = 0; place < outcomes.length; place++) {
                outcomes[place] = OUTCOMES[in.readByte()];
            }
            lastOutcomes = Arrays.equals(outcomes, lastOutcomes) ? lastOutcomes : outcomes;
            query.outcomes = lastOutcomes;
            if (!query.measured) {
                query.invocationLatenciesMicros = new long[query.outcomes.length];
                for (int place = 0; place < query.outcomes.length; place++) {
                    query.invocationLatenciesMicros[place] = in.readLong();
                }
            }
        }
        if (query.replayed) {
            query.replayStartedAtMillis = in.readLong();
            query.replayedAtMillis = in.readLong();
            query.replayedItems = readItems(in);
        }
        query.knownStartMillis = in.readLong();
        query.earliestEventMillis = in.readLong();
        long[] features = new long[in.readByte()];
        for (int i = 0; i < features.length; i++) {
            features[i] = in.readLong();
        }
        query.features = Features.of(features);
        int more = in.readByte();
        query.explored = (more & EXPLORED) != 0;
        if ((more & STATES_LOSS) != 0) {
            query.notAskedLoss = Optional.of(in.readDouble());
        }
        if ((more & HAS_VARIANT) != 0) {
            query.variant = in.readUTF();
        }
        query.inTime = (more & IN_TIME) != 0;
        boolean mayBegin = (more & HELD_MAY_BEGIN) != 0;
        for (int left = in.readInt(); left > 0; left--) {
            LoggedEvent event = events.read(in);
            event.place(in.readLong(), in.readLong(), in.readBoolean());
            query.hold(event, mayBegin);
        }
        return query;
    }

    private static int mark(boolean arrived, ComponentResult result) {
        if (result == null) {
            return arrived ? ARRIVED : 0;
        }
        return result.isTruncated() ? KEPT_TRUNCATED : KEPT;
    }

    private static void write(Items items, DataOutput out) throws IOException {
        // A negative size marks texts.
        out.writeInt(items.isTexts() ? -items.size() : items.size());
        for (String text : items.texts()) {
            out.writeUTF(text);
        }
        for (long number : items.numbers()) {
            out.writeLong(number);
        }
        for (float score : items.scores()) {
            out.writeFloat(score);
        }
    }

    private static Items readItems(DataInput in) throws IOException {
        int size = in.readInt();
        if (size == 0) {
            return Items.NONE;
        }
        float[] scores = new float[Math.abs(size)];
        if (size < 0) {
            String[] texts = new String[-size];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = in.readUTF();
            }
            readScores(scores, in);
            return Items.ofTexts(texts, scores);
        }
        long[] numbers = new long[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = in.readLong();
        }
        readScores(scores, in);
        return Items.ofNumbers(numbers, scores);
    }

    private static void readScores(float[] scores, DataInput in) throws IOException {
        for (int i = 0; i < scores.length; i++) {
            scores[i] = in.readFloat();
        }
    }

    /** A result that was read from storage. A result that came from the log is kept as its event instead. */
    record KeptResult(long eventTimeMillis, long latencyMicros, Items items, boolean isTruncated)
            implements ComponentResult {}
}
