package io.kipimo.simulator.service;

/** One request to each partition of a tier, and who waits for the answers. */
final class Call {
    final Query query;
    final SimulatedTier tier;

    /** The execution that made it; null if it was the front end. */
    final Copy parent;

    final long startedNanos;
    final Request[] requests;

    /** Requests that neither are answered nor have failed. */
    int open;

    /** Whoever waited has gone on. */
    boolean over;

    int timer = -1;

    /** What it asks for, where the tier has a cache. */
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
