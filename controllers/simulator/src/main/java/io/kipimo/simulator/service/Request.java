package io.kipimo.simulator.service;

/** What a call asks of one partition. */
final class Request {
    /** No answer yet. */
    static final long OPEN = -1;

    final Call call;
    final int partition;

    /** The arbiter's name for it. */
    long id;

    /** When it came to the arbiter; the meter's. */
    long openedNanos;

    /** When the first answer came; {@link #OPEN} until then. */
    long answeredNanos = OPEN;

    /** No answer will come. */
    boolean failed;

    /** Nobody waits for it any more. */
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
