package io.kipimo.sdk;

import java.util.concurrent.atomic.LongAdder;

/** Delivery counts of one kind of events. */
final class EmissionCounts {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder deliveredBytes = new LongAdder();
    private final LongAdder bufferFull = new LongAdder();
    private final LongAdder undelivered = new LongAdder();

    void accept() {
        accepted.increment();
    }

    void deliver(long bytes) {
        delivered.increment();
        deliveredBytes.add(bytes);
    }

    void dropFull() {
        bufferFull.increment();
    }

    void dropUndelivered() {
        undelivered.increment();
    }

    EmitterStats stats() {
        return new EmitterStats(
                accepted.sum(), delivered.sum(), deliveredBytes.sum(), bufferFull.sum(), undelivered.sum());
    }
}
