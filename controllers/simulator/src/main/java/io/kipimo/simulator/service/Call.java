package io.kipimo.simulator.service;

/** One request to each partition of a tier. */
final class Call {
    final Query query;
    final SimulatedTier tier;

    /** The execution that made the call; null for the front end. */
    final Copy parent;

    final long startedNanos;
    final Request[] requests;

    /** Requests that are neither answered nor failed. */
    int open;

    /** Whether the caller has gone on, with all answers or without some. */
    boolean over;

    int timer = -1;

    /** Key of the request, if the tier has a cache. */
    int key;

    Call(Query query, SimulatedTier tier, Copy parent, long startedNanos) {
        this.query = query;
        this.tier = tier;
        this.parent = parent;
        this.startedNanos = startedNanos;
        this.requests = new Request[tier.spec.partitions()];
        this.open = requests.length;
    }
}
