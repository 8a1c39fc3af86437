package io.kipimo.schemas.quality;

import java.util.OptionalDouble;

/**
 * What measuring cost the service.
 *
 * @param lateResults results kept alive after the deadline
 * @param lateWorkMicros time that components spent on them, microseconds
 * @param emittedBytes bytes handed to the log
 * @param droppedEvents events that emitters had to drop
 * @param answerWorkMicros what {@code lateWorkMicros} is compared with: time that components took
 *     for all answers, sampled or not, until their results or the deadline, microseconds; 0: not
 *     known
 */
public record MeasurementBill(
        long lateResults,
        long lateWorkMicros,
        long emittedBytes,
        long droppedEvents,
        long answerWorkMicros) {
    public static final MeasurementBill NOTHING = new MeasurementBill(0, 0, 0, 0, 0);

    /** Work that measuring added, as a share of that for the answers; empty where it is unknown. */
    public OptionalDouble extraLoad() {
        return answerWorkMicros > 0
                ? OptionalDouble.of((double) lateWorkMicros / answerWorkMicros)
                : OptionalDouble.empty();
    }

    public MeasurementBill plus(MeasurementBill other) {
        return new MeasurementBill(
                lateResults + other.lateResults,
                lateWorkMicros + other.lateWorkMicros,
                emittedBytes + other.emittedBytes,
                droppedEvents + other.droppedEvents,
                answerWorkMicros + other.answerWorkMicros);
    }
}
