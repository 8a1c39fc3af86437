package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerFields;
import io.kipimo.schemas.quality.AnswerFields.InvokedComponents;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import java.io.DataInput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * A fast parser for the two most frequent messages, {@link Answer} and {@link PartialResult}. It passes over the bytes
 * once, and creates no Protobuf message, no record and no copies.
 *
 * <p>It accepts only the plain layout, which encoders write: each field at most once, packed items, allowed values. It
 * hands all other bytes to the {@link Codecs codec}. If the codec refuses them, this parser throws the codec's
 * exception. If the codec reads them, this parser encodes the record again in the plain layout and reads that. So both
 * parsers agree by construction, and this one has no error messages of its own.
 *
 * <p>It caches names, and is not thread-safe.
 */
public final class EventScanner {
    /** Field {@code texts} of ItemsProto. */
    static final int ITEMS_TEXTS = 2 << 3 | 2;

    private static final int ITEMS_PACKED_NUMBERS = 1 << 3 | 2;
    private static final int ITEMS_PACKED_SCORES = 3 << 3 | 2;

    /** Field {@code features} of AnswerProto. */
    private static final int FEATURES = 70;

    private static final int PACKED_FEATURES = FEATURES << 3 | 2;

    /** Field {@code not_asked_loss} of AnswerProto, eight bytes. */
    private static final int NOT_ASKED_LOSS = 71;

    /** Field {@code explored} of AnswerProto. */
    private static final int EXPLORED = 72;

    /** Field {@code variant} of AnswerProto. */
    private static final int VARIANT = 73;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Exponent bits of a float: all ones in infinities and NaN. */
    private static final int EXPONENT = 0x7f80_0000;

    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final AnswerKind[] KINDS = AnswerKind.values();
    private static final Phase[] PHASES = Phase.values();
    private static final Unmeasurable[] UNMEASURABLE = Unmeasurable.values();
    private static final int FEW_INVOCATIONS = 16;
    private static final int KEPT_LISTS = 256;

    private final NameTable names = new NameTable();

    /** A hash table of distinct component lists, because queries share few of them. */
    private final String[][] componentLists = new String[KEPT_LISTS][];

    /** A hash table of distinct lists of outcomes. */
    private final Outcome[][] outcomeLists = new Outcome[KEPT_LISTS][];

    // Scratch space for the invocations of one answer.
    private String[] components = new String[FEW_INVOCATIONS];
    private Outcome[] outcomes = new Outcome[FEW_INVOCATIONS];
    private long[] latencies = new long[FEW_INVOCATIONS];

    /**
     * Reads an AnswerProto.
     *
     * @throws InvalidRecordException for the bytes that {@link Codecs#ANSWER} refuses, with the same reason
     */
    public LoggedEvent answer(byte[] bytes, int partition, long offset) throws InvalidRecordException {
        LoggedEvent plain = bytes == null ? null : plainAnswer(bytes, partition, offset);
        return plain != null
                ? plain
                : written(plainAnswer(Codecs.ANSWER.encode(Codecs.ANSWER.decode(bytes)), partition, offset));
    }

    /**
     * Reads a PartialResultProto.
     *
     * @throws InvalidRecordException for the bytes that {@link Codecs#PARTIAL_RESULT} refuses, with the same reason
     */
    public LoggedEvent partial(byte[] bytes, int partition, long offset) throws InvalidRecordException {
        LoggedEvent plain = bytes == null ? null : plainPartial(bytes, partition, offset);
        return plain != null
                ? plain
                : written(plainPartial(
                        Codecs.PARTIAL_RESULT.encode(Codecs.PARTIAL_RESULT.decode(bytes)), partition, offset));
    }

    /**
     * Reads an event that {@link LoggedEvent#write} stored.
     *
     * @throws IOException if the input cannot be read, or the message is refused
     */
    public LoggedEvent read(DataInput in) throws IOException {
        boolean isAnswer = in.readBoolean();
        int partition = in.readInt();
        long offset = in.readLong();
        byte[] wire = new byte[in.readInt()];
        in.readFully(wire);
        try {
            return isAnswer ? answer(wire, partition, offset) : partial(wire, partition, offset);
        } catch (InvalidRecordException e) {
            throw new IOException("an event that was checked is refused: " + e.getMessage(), e);
        }
    }

    /** Returns the head of a PartialResultProto; null if the bytes need the full parse of {@link #partial}. */
    public EventHead partialHead(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        String service = null;
        int idAt = 0;
        int idLength = 0;
        long completed = 0;
        long latency = 0;
        long started = 0;
        WireReader in = new WireReader(bytes, 0, bytes.length);
        while (in.hasMore()) {
            int tag = in.tag();
            switch (tag) {
                case 1 << 3 | 2 -> service = name(in, bytes);
                case 2 << 3 | 2 -> {
                    idLength = in.length();
                    idAt = in.position();
                    in.skip(idLength);
                }
                case 6 << 3 -> completed = within(in, 1, Checks.LATEST_MILLIS);
                case 7 << 3 -> latency = within(in, 0, Checks.LONGEST_MICROS);
                case 10 << 3 -> started = within(in, 0, Checks.LATEST_MILLIS);
                default -> in.skipField(tag);
            }
        }
        if (in.isBroken() || service == null || completed == 0) {
            return null;
        }
        QueryKey key = key(service, bytes, idAt, idLength);
        return key == null
                ? null
                : new EventHead(key, started > 0 ? started : completed - latency / 1000, started > 0, completed);
    }

    /** Returns the head of an AnswerProto; null if the bytes need the full parse of {@link #answer}. */
    public EventHead answerHead(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        String service = null;
        int idAt = 0;
        int idLength = 0;
        int kind = 0;
        long started = 0;
        long answered = 0;
        WireReader in = new WireReader(bytes, 0, bytes.length);
        while (in.hasMore()) {
            int tag = in.tag();
            switch (tag) {
                case 1 << 3 | 2 -> service = name(in, bytes);
                case 2 << 3 | 2 -> {
                    idLength = in.length();
                    idAt = in.position();
                    in.skip(idLength);
                }
                case 4 << 3 -> kind = (int) within(in, 1, KINDS.length);
                case 5 << 3 -> started = within(in, 1, Checks.LATEST_MILLIS);
                case 6 << 3 -> answered = within(in, 1, Checks.LATEST_MILLIS);
                default -> in.skipField(tag);
            }
        }
        if (in.isBroken() || service == null || kind == 0 || started == 0 || answered < started) {
            return null;
        }
        QueryKey key = key(service, bytes, idAt, idLength);
        return key == null ? null : new EventHead(key, started, KINDS[kind - 1] == AnswerKind.ONLINE, answered);
    }

    private static LoggedEvent written(LoggedEvent plain) {
        if (plain == null) {
            throw new IllegalStateException("the codec's encoding is not in the plain layout");
        }
        return plain;
    }

    /** Reads a PartialResultProto in the plain layout; returns null for all other bytes. */
    LoggedEvent plainPartial(byte[] bytes, int partition, long offset) {
        String service = null;
        int idAt = 0;
        int idLength = 0;
        String component = null;
        int phase = 0;
        long completed = 0;
        long latency = 0;
        long started = 0;
        WireItems items = WireItems.NONE;
        boolean truncated = false;
        int seen = 0;
        WireReader in = new WireReader(bytes, 0, bytes.length);
        while (in.hasMore()) {
            int tag = in.tag();
            int field = tag >>> 3;
            if (field > 10) {
                in.skipField(tag);
                continue;
            }
            if ((seen & 1 << field) != 0) {
                return null;
            }
            seen |= 1 << field;
            switch (tag) {
                case 1 << 3 | 2 -> service = name(in, bytes);
                case 2 << 3 | 2 -> {
                    idLength = in.length();
                    idAt = in.position();
                    in.skip(idLength);
                }
                case 3 << 3 | 2 -> component = name(in, bytes);
                case 4 << 3 | 2 -> passOptionalText(in, bytes);
                case 5 << 3 -> phase = (int) within(in, 1, PHASES.length);
                case 6 << 3 -> completed = within(in, 1, Checks.LATEST_MILLIS);
                case 7 << 3 -> latency = within(in, 0, Checks.LONGEST_MICROS);
                case 8 << 3 | 2 -> items = items(in, bytes);
                case 9 << 3 -> truncated = within(in, 0, 1) == 1;
                case 10 << 3 -> started = within(in, 0, Checks.LATEST_MILLIS);
                default -> in.breakOff();
            }
        }
        if (in.isBroken() || service == null || component == null || phase == 0 || completed == 0) {
            return null;
        }
        QueryKey key = key(service, bytes, idAt, idLength);
        if (key == null) {
            return null;
        }
        return new LoggedEvent(
                bytes,
                partition,
                offset,
                key,
                started,
                completed,
                truncated,
                items,
                component,
                PHASES[phase - 1],
                latency);
    }

    /** Reads an AnswerProto in the plain layout; returns null for all other bytes. */
    LoggedEvent plainAnswer(byte[] bytes, int partition, long offset) {
        String service = null;
        int idAt = 0;
        int idLength = 0;
        String queryClass = null;
        int kind = 0;
        long started = 0;
        long answered = 0;
        int deadline = 0;
        int topK = 0;
        int invocations = 0;
        WireItems items = WireItems.NONE;
        boolean truncated = false;
        int unmeasurable = 0;
        Features features = Features.NONE;
        Optional<Double> notAskedLoss = Optional.empty();
        boolean explored = false;
        String variant = Variants.NONE;
        int seen = 0;
        WireReader in = new WireReader(bytes, 0, bytes.length);
        while (in.hasMore()) {
            int tag = in.tag();
            int field = tag >>> 3;
            if (field == FEATURES) {
                if (tag != PACKED_FEATURES || !features.isEmpty()) {
                    return null;
                }
                features = features(in, bytes);
                continue;
            }
            if (field == NOT_ASKED_LOSS) {
                if (tag != (NOT_ASKED_LOSS << 3 | 1) || notAskedLoss.isPresent()) {
                    return null;
                }
                notAskedLoss = fraction(in, bytes);
                continue;
            }
            if (field == EXPLORED) {
                if (tag != EXPLORED << 3 || explored) {
                    return null;
                }
                explored = within(in, 0, 1) == 1;
                continue;
            }
            if (field == VARIANT) {
                if (tag != (VARIANT << 3 | 2) || variant == null || !variant.isEmpty()) {
                    return null;
                }
                variant = name(in, bytes);
                continue;
            }
            if (field > 12) {
                in.skipField(tag);
                continue;
            }
            if (tag == (9 << 3 | 2)) {
                invocation(in, bytes, invocations++);
                continue;
            }
            if ((seen & 1 << field) != 0) {
                return null;
            }
            seen |= 1 << field;
            switch (tag) {
                case 1 << 3 | 2 -> service = name(in, bytes);
                case 2 << 3 | 2 -> {
                    idLength = in.length();
                    idAt = in.position();
                    in.skip(idLength);
                }
                case 3 << 3 | 2 -> queryClass = name(in, bytes);
                case 4 << 3 -> kind = (int) within(in, 1, KINDS.length);
                case 5 << 3 -> started = within(in, 1, Checks.LATEST_MILLIS);
                case 6 << 3 -> answered = within(in, 1, Checks.LATEST_MILLIS);
                case 7 << 3 -> deadline = (int) within(in, 0, QualityCodecs.LONGEST_DEADLINE_MILLIS);
                case 8 << 3 -> topK = (int) within(in, 0, QualityCodecs.MAXIMUM_ITEMS);
                case 10 << 3 | 2 -> items = items(in, bytes);
                case 11 << 3 -> truncated = within(in, 0, 1) == 1;
                case 12 << 3 -> unmeasurable = (int) within(in, 0, UNMEASURABLE.length);
                default -> in.breakOff();
            }
        }
        if (in.isBroken() || service == null || queryClass == null || kind == 0 || started == 0 || answered < started) {
            return null;
        }
        QueryKey key = key(service, bytes, idAt, idLength);
        String[] distinct = distinctComponents(invocations);
        if (key == null || distinct == null) {
            return null;
        }
        return new LoggedEvent(
                bytes,
                partition,
                offset,
                key,
                started,
                answered,
                truncated,
                items,
                new AnswerFields(
                        queryClass,
                        KINDS[kind - 1],
                        deadline,
                        topK,
                        new InvokedComponents(
                                distinct, sharedOutcomes(invocations), Arrays.copyOf(latencies, invocations)),
                        unmeasurable == 0 ? null : UNMEASURABLE[unmeasurable - 1],
                        features,
                        notAskedLoss,
                        explored,
                        variant));
    }

    /**
     * Reads a number of eight bytes. Breaks the reader if it is not within 0..1; returns empty if bytes are missing.
     */
    private static Optional<Double> fraction(WireReader in, byte[] bytes) {
        int start = in.position();
        in.skipField(NOT_ASKED_LOSS << 3 | 1);
        if (in.isBroken()) {
            return Optional.empty();
        }
        double value = Double.longBitsToDouble((long) LONGS.get(bytes, start));
        if (!(value >= 0 && value <= 1)) {
            in.breakOff();
        }
        return Optional.of(value);
    }

    private static Features features(WireReader in, byte[] bytes) {
        int length = in.length();
        int start = in.position();
        in.skip(length);
        if (length % Long.BYTES != 0) {
            in.breakOff();
        }
        if (in.isBroken()) {
            return Features.NONE;
        }
        long[] hashes = new long[length / Long.BYTES];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = (long) LONGS.get(bytes, start + i * Long.BYTES);
        }
        return Features.of(hashes);
    }

    private void invocation(WireReader in, byte[] bytes, int place) {
        if (place == components.length) {
            if (place >= Checks.MAXIMUM_PARTS) {
                in.breakOff();
                return;
            }
            components = Arrays.copyOf(components, 2 * place);
            outcomes = Arrays.copyOf(outcomes, 2 * place);
            latencies = Arrays.copyOf(latencies, 2 * place);
        }
        String component = null;
        int outcome = 0;
        long latency = 0;
        int seen = 0;
        int outerEnd = in.enter(in.length());
        while (in.hasMore()) {
            int tag = in.tag();
            int field = tag >>> 3;
            if (field > 3) {
                in.skipField(tag);
                continue;
            }
            if ((seen & 1 << field) != 0) {
                in.breakOff();
            }
            seen |= 1 << field;
            switch (tag) {
                case 1 << 3 | 2 -> component = name(in, bytes);
                case 2 << 3 -> outcome = (int) within(in, 1, OUTCOMES.length);
                case 3 << 3 -> latency = within(in, 0, Checks.LONGEST_MICROS);
                default -> in.breakOff();
            }
        }
        if (in.isBroken() || component == null || outcome == 0) {
            in.breakOff();
        } else {
            components[place] = component;
            outcomes[place] = OUTCOMES[outcome - 1];
            latencies[place] = latency;
        }
        in.leave(outerEnd);
    }

    /** Returns the components in the scratch space; null if one occurs twice or there are too many. */
    private String[] distinctComponents(int count) {
        if (count > Checks.MAXIMUM_PARTS) {
            return null;
        }
        int hash = 1;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + components[i].hashCode();
        }
        int slot = slotOf(hash);
        String[] kept = componentLists[slot];
        if (kept != null && Arrays.equals(kept, 0, kept.length, components, 0, count)) {
            return kept;
        }
        String[] list = Arrays.copyOf(components, count);
        if (Arrays.stream(list).distinct().count() < count) {
            return null;
        }
        componentLists[slot] = list;
        return list;
    }

    /** Returns the outcomes in the scratch space. Open queries keep the array, so equal lists share one. */
    private Outcome[] sharedOutcomes(int count) {
        int hash = 1;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + outcomes[i].ordinal();
        }
        int slot = slotOf(hash);
        Outcome[] kept = outcomeLists[slot];
        if (kept == null || !Arrays.equals(kept, 0, kept.length, outcomes, 0, count)) {
            kept = Arrays.copyOf(outcomes, count);
            outcomeLists[slot] = kept;
        }
        return kept;
    }

    private static int slotOf(int hash) {
        return (hash * 0x9E3779B9) >>> 24 & KEPT_LISTS - 1;
    }

    private static WireItems items(WireReader in, byte[] bytes) {
        int numbers = 0;
        int numbersAt = 0;
        int texts = 0;
        int scores = 0;
        int scoresAt = 0;
        int outerEnd = in.enter(in.length());
        int start = in.position();
        int end = start;
        while (in.hasMore()) {
            int tag = in.tag();
            if (tag == ITEMS_PACKED_NUMBERS && numbersAt == 0) {
                int length = in.length();
                numbers = length / Long.BYTES;
                numbersAt = in.position();
                if (length % Long.BYTES != 0) {
                    in.breakOff();
                }
                in.skip(length);
            } else if (tag == ITEMS_PACKED_SCORES && scoresAt == 0) {
                int length = in.length();
                scores = length / Float.BYTES;
                scoresAt = in.position();
                if (length % Float.BYTES != 0 || !areFinite(bytes, scoresAt, scores)) {
                    in.breakOff();
                }
                in.skip(length);
            } else if (tag == ITEMS_TEXTS) {
                int length = in.length();
                if (length == 0 || !Texts.isOptional(bytes, in.position(), length)) {
                    in.breakOff();
                }
                in.skip(length);
                texts++;
            } else if (tag >>> 3 > 3) {
                in.skipField(tag);
            } else {
                in.breakOff();
            }
            end = in.position();
        }
        if ((numbers > 0 && texts > 0) || scores != numbers + texts || scores > QualityCodecs.MAXIMUM_ITEMS) {
            in.breakOff();
        }
        in.leave(outerEnd);
        return scores == 0
                ? WireItems.NONE
                : new WireItems(bytes, scores, texts == 0 ? numbersAt : start, scoresAt, texts == 0 ? 0 : end);
    }

    private static boolean areFinite(byte[] bytes, int start, int count) {
        boolean finite = true;
        for (int i = 0; i < count; i++) {
            finite &= ((int) INTS.get(bytes, start + i * Float.BYTES) & EXPONENT) != EXPONENT;
        }
        return finite;
    }

    /** Reads a name. If the name is not allowed, breaks the reader and returns null. */
    private String name(WireReader in, byte[] bytes) {
        int length = in.length();
        String name = length == 0 ? null : names.name(bytes, in.position(), length);
        if (name == null) {
            in.breakOff();
        } else {
            in.skip(length);
        }
        return name;
    }

    /** Returns the key of a query; null if the id is empty or not allowed. The id must lie within the bytes. */
    private static QueryKey key(String service, byte[] bytes, int idAt, int idLength) {
        QueryKey trace = idLength == QueryKey.TRACE_ID_LENGTH ? QueryKey.ofTraceId(service, bytes, idAt) : null;
        if (trace != null || idLength == 0) {
            return trace;
        }
        String text = Texts.optional(bytes, idAt, idLength);
        return text == null ? null : new QueryKey(service, text);
    }

    private static void passOptionalText(WireReader in, byte[] bytes) {
        int length = in.length();
        if (Texts.isOptional(bytes, in.position(), length)) {
            in.skip(length);
        } else {
            in.breakOff();
        }
    }

    private static long within(WireReader in, long least, long most) {
        long value = in.varint();
        if (value < least || value > most) {
            in.breakOff();
        }
        return value;
    }
}
