package io.kipimo.otlp;

import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.exposition.EventCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a receiver's spans, traces, queries and refused requests since its start. */
final class OtlpCounts extends EventCounts {
    /** The results by which spans are counted. */
    enum Spans {
        /** The span arrived in a readable body. All spans count here. */
        RECEIVED,
        /** The span has no valid ids or times. The exporter is told by a partial success. */
        REJECTED,
        /** The span was sent twice. */
        AGAIN,
        /** The span arrived after its trace was decided, and was dropped. */
        LATE
    }

    /** The results by which decided traces are counted. */
    enum Traces {
        /** The trace had a query. */
        MEASURED,
        /** No span of the trace was an answer of a front end. */
        WITHOUT_FRONT,
        /** The trace's service is not accepted, or there are too many services. */
        OTHER_SERVICE,
        /** The trace could not be measured because of a fault. Other traces are not affected. */
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

    /** Number of requests that were answered with an error. */
    long refusedBodies() {
        return refusedBodies.sum();
    }
}
