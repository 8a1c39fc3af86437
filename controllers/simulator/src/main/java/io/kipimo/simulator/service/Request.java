package io.kipimo.simulator.service;

/** A call's request to one partition. */
final class Request {
    /** No answer yet. */
    static final long OPEN = -1;

    final Call call;
    final int partition;

    /** Its number in the arbiter. */
    long id;

    /** Arrival at the arbiter; used by the meter. */
    long openedNanos;

    /** Time of the first answer; {@link #OPEN} until then. */
    long answeredNanos = OPEN;

    /** No answer will come. */
    boolean failed;

    /** Whether its caller has given up. */
    boolean abandoned;

    /** Its copies, the last one first. */
    Copy first;

    Request(Call call, int partition) {
        this.call = call;
        this.partition = partition;
    }

    boolean isAnswered() {
        return answeredNanos != OPEN;
    }

    boolean isOver() {
        return isAnswered() || failed;
    }

    Copy copy(int index) {
        Copy copy = first;
        while (copy.index != index) {
            copy = copy.next;
        }
        return copy;
    }
}
