package io.kipimo.simulator.service;

/** A call's request to one partition. */
final class Request {
    /** Time of the answer while there is none. */
    static final long OPEN = -1;

    final Call call;
    final int partition;

    /** Number of the request in the arbiter. */
    long id;

    /** Time of arrival at the arbiter, for the meter. */
    long openedNanos;

    /** Time of the first answer; {@link #OPEN} until then. */
    long answeredNanos = OPEN;

    /** Whether no answer will come. */
    boolean failed;

    /** Whether the request's caller has given up. */
    boolean abandoned;

    /** Copies of the request, the last one first. */
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
