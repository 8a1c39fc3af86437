package io.kipimo.schemas.quality;

/**
 * What measuring cost the service.
 *
 * @param lateResults results kept alive after the deadline
 * @param lateWorkMicros time that components spent on them, microseconds
 * @param emittedBytes bytes handed to the log
 * @param droppedEvents events that emitters had to drop
 */
public record MeasurementBill(
        long lateResults, long lateWorkMicros, long emittedBytes, long droppedEvents) {
    public static final MeasurementBill NOTHING = new MeasurementBill(0, 0, 0, 0);

    public MeasurementBill plus(MeasurementBill other) {
        return new MeasurementBill(
                lateResults + other.lateResults,
                lateWorkMicros + other.lateWorkMicros,
                emittedBytes + other.emittedBytes,
                droppedEvents + other.droppedEvents);
    }
}
