package io.kipimo.bench.streams;

import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerFields;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Joins events. It appends each event as it came to the bytes of its query, and measures the query when nothing is
 * missing or the window has passed. The store is keyed by query id. A value is the end of the window (8 bytes), then
 * for each event its kind (1 byte), its length (4 bytes) and its bytes. Events are scanned as in the product; only
 * those of queries that are measured are decoded.
 */
final class JoinProcessor implements Processor<String, byte[], String, byte[]> {
    static final String STORE = "open-queries";

    private static final byte ANSWER = 0;
    private static final byte PARTIAL = 1;
    private static final int EXPIRY_BYTES = Long.BYTES;
    private static final int EVENT_HEADER_BYTES = 1 + Integer.BYTES;

    private final String answersTopic;
    private final EventScanner scanner = new EventScanner();
    private ProcessorContext<String, byte[]> context;
    private KeyValueStore<String, byte[]> store;

    JoinProcessor(String answersTopic) {
        this.answersTopic = answersTopic;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> processorContext) {
        context = processorContext;
        store = processorContext.getStateStore(STORE);
        processorContext.schedule(Duration.ofSeconds(1), PunctuationType.STREAM_TIME, this::measureExpired);
    }

    @Override
    public void process(Record<String, byte[]> event) {
        boolean isAnswer = context.recordMetadata().orElseThrow().topic().equals(answersTopic);
        byte[] before = store.get(event.key());
        byte[] now = append(before, isAnswer, event.value());
        if (isComplete(now)) {
            forward(decode(now), event.timestamp());
            if (before != null) {
                store.delete(event.key());
            }
        } else {
            store.put(event.key(), now);
        }
    }

    private void measureExpired(long streamTimeMillis) {
        List<String> expired = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> entry = all.next();
                if (ByteBuffer.wrap(entry.value).getLong() <= streamTimeMillis) {
                    PeerQuery query = decode(entry.value);
                    if (query.answer() != null) {
                        forward(query, streamTimeMillis);
                    }
                    expired.add(entry.key);
                }
            }
        }
        expired.forEach(store::delete);
    }

    private void forward(PeerQuery query, long nowMillis) {
        Measurement measurement = query.measure(nowMillis);
        context.forward(new Record<>(measurement.queryId(), Codecs.MEASUREMENT.encode(measurement), nowMillis));
    }

    /** Returns what {@link PeerQuery#isComplete} returns, computed from scanned events. */
    private boolean isComplete(byte[] value) {
        AnswerFields answer = null;
        List<LoggedEvent> partials = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(value).position(EXPIRY_BYTES);
        while (rest.hasRemaining()) {
            boolean isAnswer = rest.get() == ANSWER;
            byte[] event = new byte[rest.getInt()];
            rest.get(event);
            if (isAnswer) {
                answer = scan(true, event).answerFields();
            } else {
                partials.add(scan(false, event));
            }
        }
        if (answer == null) {
            return false;
        }
        boolean isDegraded = false;
        boolean hasAll = true;
        for (int place = 0; place < answer.invoked().outcomes().length; place++) {
            boolean inTime = answer.invoked().outcomes()[place] == Outcome.IN_TIME;
            isDegraded |= !inTime;
            hasAll &= has(partials, answer.invoked().names()[place], inTime ? Phase.ONLINE : Phase.MATURE);
        }
        return hasAll || !isDegraded;
    }

    private static boolean has(List<LoggedEvent> partials, String component, Phase phase) {
        for (LoggedEvent partial : partials) {
            if (partial.phase() == phase && partial.component().equals(component)) {
                return true;
            }
        }
        return false;
    }

    private LoggedEvent scan(boolean isAnswer, byte[] event) {
        try {
            return isAnswer ? scanner.answer(event, 0, 0) : scanner.partial(event, 0, 0);
        } catch (InvalidRecordException e) {
            throw new IllegalStateException("the workload has only good records", e);
        }
    }

    private byte[] append(byte[] before, boolean isAnswer, byte[] event) {
        int size = before == null ? EXPIRY_BYTES : before.length;
        ByteBuffer now = ByteBuffer.allocate(size + EVENT_HEADER_BYTES + event.length);
        if (before == null) {
            now.putLong(scan(isAnswer, event).startedAtMillis() + PeerQuery.WINDOW_MILLIS);
        } else {
            now.put(before);
        }
        return now.put(isAnswer ? ANSWER : PARTIAL)
                .putInt(event.length)
                .put(event)
                .array();
    }

    private static PeerQuery decode(byte[] value) {
        ByteBuffer rest = ByteBuffer.wrap(value).position(EXPIRY_BYTES);
        Answer answer = null;
        List<PartialResult> partials = new ArrayList<>();
        while (rest.hasRemaining()) {
            byte kind = rest.get();
            byte[] event = new byte[rest.getInt()];
            rest.get(event);
            if (kind == ANSWER) {
                answer = record(Codecs.ANSWER, event);
            } else {
                partials.add(record(Codecs.PARTIAL_RESULT, event));
            }
        }
        return new PeerQuery(answer, partials);
    }

    private static <T> T record(Codec<T> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (InvalidRecordException e) {
            throw new IllegalStateException("the workload has only good records", e);
        }
    }
}
