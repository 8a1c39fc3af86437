package io.kipimo.kafka;

import io.kipimo.operators.quality.PolicyInput;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.schemas.deadletter.DeadLetter;
import org.apache.flink.api.common.eventtime.BoundedOutOfOrdernessWatermarks;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.types.Either;

/**
 * Generates watermarks from accepted records only. A record advances the watermark to its proven time at most
 * ({@link ProvenTime}). Policies, and records that the job wrote again, do not advance it. The generator emits nothing
 * while no record advances it, so that a partition stays idle or active as its reader declares ({@link HoldingReader}).
 */
final class GoodRecordWatermarks<T> implements WatermarkGenerator<Either<DeadLetter, T>> {
    private final WatermarkGenerator<Either<DeadLetter, T>> ofGoodOnes;

    private boolean hasNews;

    GoodRecordWatermarks(WatermarkGenerator<Either<DeadLetter, T>> ofGoodOnes) {
        this.ofGoodOnes = ofGoodOnes;
    }

    static <T> WatermarkStrategy<Either<DeadLetter, T>> strategy(
            SourceSettings settings, EventTime<T> eventTime, WallClock clock) {
        return WatermarkStrategy.<Either<DeadLetter, T>>forGenerator(context ->
                        new GoodRecordWatermarks<>(new BoundedOutOfOrdernessWatermarks<>(settings.outOfOrderness())))
                .withTimestampAssigner(stamps(eventTime, clock));
    }

    /**
     * Returns the strategy for streams without event time, such as policies: they are always idle. A watermark of
     * Long.MAX_VALUE would not work: once the other inputs are idle, it would be the only watermark, and all open
     * queries would expire at once.
     */
    static <T> WatermarkStrategy<Either<DeadLetter, T>> none() {
        return WatermarkStrategy.forGenerator(context -> new Idle<>());
    }

    private static <T> TimestampAssignerSupplier<Either<DeadLetter, T>> stamps(
            EventTime<T> eventTime, WallClock clock) {
        return context ->
                new ProvenTime<>(eventTime, new PresentBound(clock), new WritersAhead(context.getMetricGroup()));
    }

    /** Returns whether a record advances the event time of its partition. */
    static boolean movesTime(Either<DeadLetter, ?> event) {
        return event.isRight() && !(event.right() instanceof PolicyInput) && !(event.right() instanceof RewrittenInput);
    }

    @Override
    public void onEvent(Either<DeadLetter, T> event, long stampMillis, WatermarkOutput output) {
        if (movesTime(event)) {
            ofGoodOnes.onEvent(event, stampMillis, output);
            hasNews = true;
        }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
        if (hasNews) {
            ofGoodOnes.onPeriodicEmit(output);
            hasNews = false;
        }
    }

    private static final class Idle<E> implements WatermarkGenerator<E> {
        @Override
        public void onEvent(E event, long stampMillis, WatermarkOutput output) {}

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {
            output.markIdle();
        }
    }
}
