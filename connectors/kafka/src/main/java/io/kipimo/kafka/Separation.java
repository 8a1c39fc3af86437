package io.kipimo.kafka;

import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/** Sends records on and dead letters aside, and counts both; chained to its source. */
class Separation<T> extends ProcessFunction<Either<DeadLetter, T>, T> {
    private static final long serialVersionUID = 1L;

    private transient SourceMetrics metrics;

    @Override
    public void open(OpenContext context) {
        metrics = new SourceMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(Either<DeadLetter, T> found, Context context, Collector<T> out) {
        if (found.isRight()) {
            metrics.letIn();
            out.collect(asOf(found.right(), context));
        } else {
            metrics.reject(found.left().reason());
            context.output(KafkaSources.DEAD_LETTERS, found.left());
        }
    }

    /** The record as it goes on; its stamp is what its log proves of its time. */
    T asOf(T record, Context context) {
        return record;
    }
}
