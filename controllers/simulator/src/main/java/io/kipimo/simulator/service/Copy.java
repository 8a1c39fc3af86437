package io.kipimo.simulator.service;

/** One execution of a request on one server. */
final class Copy {
    /** Travelling, waiting for a call, or over. */
    static final int NOT_HERE = -1;

    /** Waits for a core. */
    static final int QUEUED = -2;

    final Request request;
    final Group group;
    final Server server;

    /** Of the copy within the request, from 0. */
    final int index;

    /** Seconds of a core between two calls to the next tier. */
    final double work;

    int callsLeft;

    /** It has reached its server. */
    boolean begun;

    /** It works no more. */
    boolean over;

    /** The arbiter knows that it has ended. */
    boolean reported;

    /** The call to the next tier that it waits for; else null. */
    Call call;

    /** Another copy of the same request. */
    Copy next;

    // The meter's.
    long sentNanos;
    long begunNanos;
    long number;

    // The server's.
    double finish;
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
