package io.kipimo.kafka;

import java.io.Serializable;

/** The time at the reader, against which stamps from the future are recognized. */
@FunctionalInterface
interface WallClock extends Serializable {
    WallClock SYSTEM = System::currentTimeMillis;

    /** Epoch milliseconds. */
    long nowMillis();
}
