package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * Arrival and departure of a request at a server, epoch microseconds of one clock.
 *
 * @param departureMicros at or after the arrival
 */
public record Stay(
        @Range(least = 1, most = Range.LATEST_MILLIS * 1000) long arrivalMicros,

        @Range(leastOf = "arrivalMicros", most = Range.LATEST_MILLIS * 1000 + Range.LONGEST_MICROS)
        long departureMicros) {
    public Stay {
        if (departureMicros < arrivalMicros) {
            throw new IllegalArgumentException("departure is %s us before the arrival; allowed: at or after it"
                    .formatted(arrivalMicros - departureMicros));
        }
    }
}
