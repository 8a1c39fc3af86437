package io.kipimo.examples.search.protocol;

import java.time.Instant;

/** The wall clock in microseconds; all parts of the demo run on one machine and share this clock. */
public final class EpochMicros {
    private EpochMicros() {}

    public static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
