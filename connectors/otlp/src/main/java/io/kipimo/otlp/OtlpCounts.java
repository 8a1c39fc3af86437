package io.kipimo.otlp;

import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.exposition.EventCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a receiver since its start. */
final class OtlpCounts extends EventCounts {
    /** What happened to a span. */
    enum Spans {
        /** Arrived in a readable body. */
        RECEIVED,
        /** A span without valid ids or times. The exporter is told of it as partial success. */
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

    private final LongAdder queries = new LongAdder();
    private final LongAdder refusedBodies = new LongAdder();

    OtlpCounts() {
        super(Spans.values(), Traces.values(), Unmeasurable.values());
    }

    void query(ObservedQuery query) {
        queries.increment();
        query.answer().whyUnmeasurable().ifPresent(this::count);
    }

    long queries() {
        return queries.sum();
    }

    void refuseBody() {
        refusedBodies.increment();
    }

    /** Requests that were answered with an error. */
    long refusedBodies() {
        return refusedBodies.sum();
    }
}
