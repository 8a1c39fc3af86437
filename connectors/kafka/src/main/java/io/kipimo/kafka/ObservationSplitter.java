package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;

/** Sets the time of observations from the future to the time at which they were written. */
final class ObservationSplitter extends DeadLetterSplitter<LoggedObservation> {
    ObservationSplitter(long flushAfterMillis) {
        super(flushAfterMillis);
    }

    @Override
    LoggedObservation asOf(LoggedObservation seen, long provenMillis) {
        return seen.eventTimeMillis() - provenMillis > ProvenTime.TOLERANCE_MILLIS ? seen.notAfter(provenMillis) : seen;
    }
}
