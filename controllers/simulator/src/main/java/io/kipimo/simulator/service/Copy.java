package io.kipimo.simulator.service;

/** One execution of a request on one server. */
final class Copy {
    /** Heap index of a copy that is in transit, waits for a call, or has ended. */
    static final int NOT_HERE = -1;

    /** Heap index of a copy that waits for a core. */
    static final int QUEUED = -2;

    final Request request;
    final Group group;
    final Server server;

    /** Index of the copy within the request, from 0. */
    final int index;

    /** Work between two calls to the next tier, seconds of a core. */
    final double work;

    int callsLeft;

    /** Whether the copy has reached its server. */
    boolean begun;

    /** Whether the copy's work has ended. */
    boolean over;

    /** Whether the copy's end has been reported to the arbiter. */
    boolean reported;

    /** The call to the next tier for which the copy waits, or null. */
    Call call;

    /** The next copy of the same request. */
    Copy next;

    // Fields of the meter.
    long sentNanos;
    long begunNanos;
    long number;

    // Fields of the server.
    long addedNanos;
    double finish;
    long queueNumber;
    int heapIndex = NOT_HERE;

    Copy(Request request, Group group, Server server, int index, double work, int calls) {
        this.request = request;
        this.group = group;
        this.server = server;
        this.index = index;
        this.work = work / (calls + 1);
        this.callsLeft = calls;
    }
}
