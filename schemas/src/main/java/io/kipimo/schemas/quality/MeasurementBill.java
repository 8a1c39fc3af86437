package io.kipimo.schemas.quality;

/**
 * Measurement cost of a service.
 *
 * @param lateResults results that were kept after the deadline
 * @param lateWorkMicros time that components spent on late results, microseconds
 * @param emittedBytes bytes written to the log
 * @param droppedEvents events that emitters dropped
 * @param answerWorkMicros time that components spent on all answers, sampled or not, until their results or the
 *     deadline, microseconds; the base of comparison for {@code lateWorkMicros}; 0: unknown
 */
public record MeasurementBill(
        long lateResults, long lateWorkMicros, long emittedBytes, long droppedEvents, long answerWorkMicros) {
    public static final MeasurementBill NOTHING = new MeasurementBill(0, 0, 0, 0, 0);

    public MeasurementBill plus(MeasurementBill other) {
        return new MeasurementBill(
                lateResults + other.lateResults,
                lateWorkMicros + other.lateWorkMicros,
                emittedBytes + other.emittedBytes,
                droppedEvents + other.droppedEvents,
                answerWorkMicros + other.answerWorkMicros);
    }
}
