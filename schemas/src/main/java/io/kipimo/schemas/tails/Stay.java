package io.kipimo.schemas.tails;

/**
 * Time of a request at a server, microseconds of one clock.
 *
 * @param departureMicros at or after the arrival
 */
public record Stay(long arrivalMicros, long departureMicros) {
    public Stay {
        if (departureMicros < arrivalMicros) {
            throw new IllegalArgumentException(
                    "departure is "
                            + (arrivalMicros - departureMicros)
                            + " us before the arrival; allowed: at or after it");
        }
    }
}
