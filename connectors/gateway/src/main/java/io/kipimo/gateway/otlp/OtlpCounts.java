package io.kipimo.gateway.otlp;

import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a receiver since its start. */
final class OtlpCounts {
    /** What happened to a span. */
    enum Spans {
        /** Arrived in a readable body. */
        RECEIVED,
        /** No valid ids or times; told to the exporter as partial success. */
        REJECTED,
        /** Sent twice. */
        AGAIN,
        /** Arrived after its trace was decided, and was dropped. */
        LATE
    }

    /** What became of a trace. */
    enum Traces {
        /** It had a query. */
        MEASURED,
        /** No span was an answer of a front end. */
        WITHOUT_FRONT,
        /** Its service is not accepted, or there are too many. */
        OTHER_SERVICE,
        /** A fault; the others go on. */
        FAILED
    }

    private final LongAdder[] spans = adders(Spans.values().length);
    private final LongAdder[] traces = adders(Traces.values().length);
    private final Map<Unmeasurable, LongAdder> unmeasurable = new EnumMap<>(Unmeasurable.class);
    private final LongAdder queries = new LongAdder();
    private final LongAdder refusedBodies = new LongAdder();

    OtlpCounts() {
        for (Unmeasurable reason : Unmeasurable.values()) {
            unmeasurable.put(reason, new LongAdder());
        }
    }

    private static LongAdder[] adders(int number) {
        LongAdder[] adders = new LongAdder[number];
        Arrays.setAll(adders, i -> new LongAdder());
        return adders;
    }

    void count(Spans what, long number) {
        spans[what.ordinal()].add(number);
    }

    long of(Spans what) {
        return spans[what.ordinal()].sum();
    }

    void count(Traces what) {
        traces[what.ordinal()].increment();
    }

    long of(Traces what) {
        return traces[what.ordinal()].sum();
    }

    void query(ObservedQuery query) {
        queries.increment();
        query.answer().whyUnmeasurable().ifPresent(why -> unmeasurable.get(why).increment());
    }

    long queries() {
        return queries.sum();
    }

    long of(Unmeasurable reason) {
        return unmeasurable.get(reason).sum();
    }

    void refuseBody() {
        refusedBodies.increment();
    }

    /** Requests that were answered with an error. */
    long refusedBodies() {
        return refusedBodies.sum();
    }
}
