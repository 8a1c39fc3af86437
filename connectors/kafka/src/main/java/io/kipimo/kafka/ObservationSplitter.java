package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;

/**
 * Corrects observations whose event time is after the time at which they were written, by more than a tolerance: they
 * then count for the last second that had ended at that time.
 */
final class ObservationSplitter extends DeadLetterSplitter<LoggedObservation> {
    ObservationSplitter(long flushAfterMillis) {
        super(flushAfterMillis);
    }

    @Override
    LoggedObservation asOf(LoggedObservation seen, long provenMillis) {
        return seen.eventTimeMillis() - provenMillis > ProvenTime.TOLERANCE_MILLIS ? seen.notAfter(provenMillis) : seen;
    }
}
