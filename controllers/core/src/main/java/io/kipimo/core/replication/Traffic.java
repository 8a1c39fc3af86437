package io.kipimo.core.replication;

import java.util.Optional;

/**
 * Requests of a service, and what disturbs its servers.
 *
 * @param arrivalsPerSecond requests a second to the whole service, 0 or more; batches arrive by a Poisson process
 * @param batch requests that arrive at once, at least 1; replicas take them in turn
 * @param networkMillis mean network latency between client and server, 0 or more
 * @param stalls stalls of the servers
 * @param recorded rhythm of the arrivals, in place of a Poisson process; excludes batches
 */
public record Traffic(
        double arrivalsPerSecond,
        int batch,
        double networkMillis,
        ServerStalls stalls,
        Optional<RecordedArrivals> recorded) {
    public Traffic {
        Duplicate.atLeast0("arrivalsPerSecond", arrivalsPerSecond);
        Duplicate.atLeast0("networkMillis", networkMillis);
        Zoolander.atLeast1("batch", batch);
        if (recorded.isPresent() && batch > 1) {
            throw new IllegalArgumentException("batch is " + batch + "; allowed with recorded arrivals: 1");
        }
    }

    /** Traffic whose batches arrive by a Poisson process. */
    public Traffic(double arrivalsPerSecond, int batch, double networkMillis, ServerStalls stalls) {
        this(arrivalsPerSecond, batch, networkMillis, stalls, Optional.empty());
    }

    /** Traffic of single requests that arrive by a Poisson process, to servers that do not stall. */
    public static Traffic poisson(double arrivalsPerSecond, double networkMillis) {
        return new Traffic(arrivalsPerSecond, 1, networkMillis, ServerStalls.NONE);
    }

    /**
     * Times in which a server does nothing, in addition to its service times. The lengths of stalls, and the times
     * between stalls, are exponential.
     *
     * @param everyMillis mean time from the end of a server's stall to the next one, above 0; infinite: none
     * @param lengthMillis mean length of a stall, 0 or more
     * @param shared share of the stalls that hit all duplicates at once, 0..1
     */
    public record ServerStalls(double everyMillis, double lengthMillis, double shared) {
        public static final ServerStalls NONE = new ServerStalls(Double.POSITIVE_INFINITY, 0, 0);

        public ServerStalls {
            Duplicate.atLeast0("lengthMillis", lengthMillis);
            if (!(everyMillis > 0)) {
                throw new IllegalArgumentException("everyMillis is " + everyMillis + "; allowed: > 0");
            }
            if (!(shared >= 0 && shared <= 1)) {
                throw new IllegalArgumentException("shared is " + shared + "; allowed: 0..1");
            }
        }

        public boolean isNone() {
            return lengthMillis == 0 || Double.isInfinite(everyMillis);
        }

        /** Share of the time in which a server works, 0..1. */
        public double available() {
            return 1 / (1 + lengthMillis / everyMillis * shared) / (1 + lengthMillis / everyMillis * (1 - shared));
        }
    }
}
