package io.kipimo.kafka;

import io.kipimo.operators.quality.LoggedObservation;

/** Makes observations from the future count as of when they were written. */
final class ObservationSeparation extends Separation<LoggedObservation> {
    private static final long serialVersionUID = 1L;

    @Override
    LoggedObservation asOf(LoggedObservation seen, Context context) {
        long provenMillis = context.timestamp();
        return seen.eventTimeMillis() - provenMillis > ProvenTime.TOLERANCE_MILLIS
                ? seen.notAfter(provenMillis)
                : seen;
    }
}
