package io.kipimo.schemas.observation;

import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Map;

/**
 * One second of one class on one front end, unsampled; topic {@code observations}. Identity:
 * service, tier, server, class, second.
 *
 * @param secondMillis start of the second, epoch milliseconds
 * @param offered queries that requested admission
 * @param rejected shed at admission
 * @param answered answers sent within the second
 * @param timedOut those of the answered without the result of some component
 * @param admittedFraction fraction in force at the end of the second, 0..1
 * @param unmeasurable answers without measurable quality, by reason: part of {@code answered}, none
 *     of {@code timedOut}
 */
public record Observation(
        String service,
        String tier,
        String server,
        String queryClass,
        long secondMillis,
        long offered,
        long rejected,
        long answered,
        long timedOut,
        List<ComponentCount> components,
        MeasurementBill bill,
        double admittedFraction,
        Map<Unmeasurable, Long> unmeasurable) {

    /** A second in which every answer was measurable. */
    public Observation(
            String service,
            String tier,
            String server,
            String queryClass,
            long secondMillis,
            long offered,
            long rejected,
            long answered,
            long timedOut,
            List<ComponentCount> components,
            MeasurementBill bill,
            double admittedFraction) {
        this(
                service,
                tier,
                server,
                queryClass,
                secondMillis,
                offered,
                rejected,
                answered,
                timedOut,
                components,
                bill,
                admittedFraction,
                Map.of());
    }

    /** Answers whose quality is known to be 1 or can be measured. */
    public long measurable() {
        return answered - Unmeasurable.sum(unmeasurable);
    }

    /** Last millisecond of the second. By then, all its events have happened. */
    public long endMillis() {
        return secondMillis + 999;
    }

    /** The same counts for another second. */
    public Observation at(long otherSecondMillis) {
        return with(queryClass, otherSecondMillis);
    }

    /** The same counts for another class. */
    public Observation ofClass(String otherClass) {
        return with(otherClass, secondMillis);
    }

    private Observation with(String otherClass, long otherSecondMillis) {
        return new Observation(
                service,
                tier,
                server,
                otherClass,
                otherSecondMillis,
                offered,
                rejected,
                answered,
                timedOut,
                components,
                bill,
                admittedFraction,
                unmeasurable);
    }
}
