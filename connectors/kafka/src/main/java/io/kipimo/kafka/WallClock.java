package io.kipimo.kafka;

import java.io.Serializable;

/** The reader's clock, against which time stamps from the future are recognized. */
@FunctionalInterface
interface WallClock extends Serializable {
    WallClock SYSTEM = System::currentTimeMillis;

    /** Epoch milliseconds. */
    long nowMillis();
}
