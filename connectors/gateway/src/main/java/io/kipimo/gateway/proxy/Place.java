package io.kipimo.gateway.proxy;

import com.netflix.concurrency.limits.Limiter;

/**
 * The place that a request occupies at its listener. It counts under the local limit, and in the load that the listener
 * reports. The place under the limit is given back once.
 */
final class Place {
    private final Route route;

    /** Ticket of the place under the limit; null: the exchange has none. */
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

    /**
     * Gives the place back after a server answered. With 503 and 504, which show that servers are overloaded, the limit
     * falls.
     */
    void answered(int status) {
        if (status == 503 || status == 504) {
            dropped();
        } else if (ticket != null) {
            ticket.onSuccess();
            ticket = null;
        }
    }

    /** Gives the place back as a sign that the servers are overloaded: the limit falls. */
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

    /** Ends the request after the caller has received a response of this status. */
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

    /** Ends the request after the caller left. */
    void abandon() {
        ignored();
        route.front().timedOut(arrival);
        route.left();
    }
}
