package io.kipimo.kafka;

import java.io.Serializable;

/** The reader's clock, for detecting time stamps in the future. */
@FunctionalInterface
interface WallClock extends Serializable {
    WallClock SYSTEM = System::currentTimeMillis;

    /** Epoch milliseconds. */
    long nowMillis();
}
