package io.kipimo.simulator.service;

/** One execution of a request on one server. */
final class Copy {
    /** In transit, waiting for a call, or ended. */
    static final int NOT_HERE = -1;

    /** Waiting for a core. */
    static final int QUEUED = -2;

    final Request request;
    final Group group;
    final Server server;

    /** Index of the copy within the request, from 0. */
    final int index;

    /** Seconds of a core between two calls to the next tier. */
    final double work;

    int callsLeft;

    /** Whether it has reached its server. */
    boolean begun;

    /** Whether its work has ended. */
    boolean over;

    /** Whether its end is reported to the arbiter. */
    boolean reported;

    /** The call to the next tier for which it waits, or null. */
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
