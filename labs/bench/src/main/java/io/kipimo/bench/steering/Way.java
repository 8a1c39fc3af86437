package io.kipimo.bench.steering;

import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.schemas.policy.Signal;
import java.util.Optional;

/** A way to share the service between the two classes. */
enum Way {
    NO_SHARING("no sharing"),
    FULL_SHARING("full sharing"),
    TIME_OUTS("time-outs", Signal.TIME_OUTS),
    QUALITY("quality", Signal.QUALITY),
    COSTLIEST_FIRST("costliest first", Signal.QUALITY),
    TRIM("trim", Signal.QUALITY),
    TRIM_COSTLIEST_FIRST("trim + costliest first", Signal.QUALITY),
    PRIORITY_QUEUES("priority queues"),
    CONCURRENCY_LIMITS("concurrency-limits");

    private final String title;
    private final Optional<Signal> signal;

    Way(String title) {
        this.title = title;
        this.signal = Optional.empty();
    }

    Way(String title, Signal signal) {
        this.title = title;
        this.signal = Optional.of(signal);
    }

    String title() {
        return title;
    }

    /** The signal by which Kipimo controls admission; empty: Kipimo does not take part. */
    Optional<Signal> signal() {
        return signal;
    }

    /** Returns whether a learned model chooses which components low-class queries ask. */
    boolean isTrimmed() {
        return this == TRIM || this == TRIM_COSTLIEST_FIRST;
    }

    boolean isCostliestFirst() {
        return this == COSTLIEST_FIRST || this == TRIM_COSTLIEST_FIRST;
    }

    QueueOrder order() {
        return this == PRIORITY_QUEUES ? QueueOrder.CLASS : QueueOrder.ARRIVAL;
    }

    /** Name on the command line. */
    String option() {
        return title.replace(" + ", "-").replace(' ', '-');
    }

    /** Name of the service that runs this way. */
    String service() {
        return "steering-" + option();
    }
}
