package io.kipimo.gateway.proxy;

import io.kipimo.gateway.limit.LocalLimit;

/**
 * An exchange's place at its listener: under the local limit, and in the load that the listener
 * reports. A place under the limit is given back once.
 */
final class Place {
    private final Route route;

    /** Null: no place under the limit is taken. */
    private LocalLimit.Ticket ticket;

    private long arrival;

    Place(Route route) {
        this.route = route;
    }

    /** Takes a place under the limit, if one is free. */
    boolean take(String queryClass) {
        ticket = route.limit().enter(queryClass).orElse(null);
        return ticket != null;
    }

    /** The request is under way. */
    void begin() {
        route.entered();
        arrival = route.front().arrived();
    }

    /** A server answered; 503 and 504 mean that the servers are overloaded. */
    void answered(int status) {
        if (status == 503 || status == 504) {
            dropped();
        } else if (ticket != null) {
            ticket.answered();
            ticket = null;
        }
    }

    /** The servers are overloaded: the limit falls. */
    void dropped() {
        if (ticket != null) {
            ticket.dropped();
            ticket = null;
        }
    }

    /** The place is given back, and counts for nothing. */
    void ignored() {
        if (ticket != null) {
            ticket.ignored();
            ticket = null;
        }
    }

    /** The caller has a response. */
    void end(int status) {
        ignored();
        route.counts().status(status);
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
