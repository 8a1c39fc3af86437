package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;

/** Sets the time of observations from the future to the time at which they were written. */
final class ObservationSplitter extends DeadLetterSplitter<LoggedObservation> {
    private static final long serialVersionUID = 1L;

    ObservationSplitter(long flushAfterMillis) {
        super(flushAfterMillis);
    }

    @Override
    LoggedObservation asOf(LoggedObservation seen, long provenMillis) {
        return seen.eventTimeMillis() - provenMillis > ProvenTime.TOLERANCE_MILLIS ? seen.notAfter(provenMillis) : seen;
    }
}
