package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.Share;

/** A load, of one generator or of several that share it. */
public sealed interface Load {
    /** The part of the load for one generator. */
    Load part(Share share);

    /**
     * Poisson arrivals, independent of the target.
     *
     * @param perSecond requests, more than 0
     */
    record Open(double perSecond) implements Load {
        public Open {
            if (!(perSecond > 0 && perSecond <= 1e7)) {
                throw new IllegalArgumentException("perSecond is " + perSecond + "; allowed: more than 0, up to 1e7");
            }
        }

        /**
         * The part of one generator: an even part of a Poisson process is a Poisson process with that part of the rate.
         */
        @Override
        public Open part(Share share) {
            return new Open(perSecond / share.of());
        }
    }

    /**
     * Users, each with one request at a time.
     *
     * @param users 0 or more: a generator's part of a small load may have none
     * @param thinkMicros mean of an exponential think time, in addition to the workload's
     */
    record Closed(int users, long thinkMicros) implements Load {
        public static final int MOST_USERS = 1_000_000;

        public Closed {
            if (users < 0 || users > MOST_USERS) {
                throw new IllegalArgumentException("users is " + users + "; allowed: 0.." + MOST_USERS);
            }
            if (thinkMicros < 0) {
                throw new IllegalArgumentException("thinkMicros is " + thinkMicros + "; allowed: 0 or more");
            }
        }

        @Override
        public Closed part(Share share) {
            return new Closed((int) share.of((long) users), thinkMicros);
        }
    }
}
