package io.kipimo.gateway.proxy;

import com.netflix.concurrency.limits.Limiter;

/**
 * An exchange's place at its listener: under the local limit, and in the load that the listener reports. A place under
 * the limit is given back once.
 */
final class Place {
    private final Route route;

    /** Null: the exchange has no place under the limit. */
    private Limiter.Listener ticket;

    private long arrival;

    Place(Route route) {
        this.route = route;
    }

    /** Takes a place under the limit; false: none is free. */
    boolean take(String queryClass) {
        ticket = route.limit().enter(queryClass).orElse(null);
        return ticket != null;
    }

    /** Counts the request as in progress. */
    void begin() {
        route.entered();
        arrival = route.front().arrived();
    }

    /** A server answered. 503 and 504 show that the servers are overloaded. */
    void answered(int status) {
        if (status == 503 || status == 504) {
            dropped();
        } else if (ticket != null) {
            ticket.onSuccess();
            ticket = null;
        }
    }

    /** The servers are overloaded: the limit falls. */
    void dropped() {
        if (ticket != null) {
            ticket.onDropped();
            ticket = null;
        }
    }

    /** Gives the place back without a sample for the limit. */
    void ignored() {
        if (ticket != null) {
            ticket.onIgnore();
            ticket = null;
        }
    }

    /** The caller has received a response. */
    void end(int status) {
        ignored();
        route.counts().status(status);
        route.counts().took(System.nanoTime() - arrival);
        if (status >= 500) {
            route.front().failed(arrival);
        } else {
            route.front().completed(arrival);
        }
        route.left();
    }

    /** The caller left. */
    void abandon() {
        ignored();
        route.front().timedOut(arrival);
        route.left();
    }
}
