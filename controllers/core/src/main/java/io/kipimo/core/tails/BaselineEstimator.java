package io.kipimo.core.tails;

import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.Stay;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleConsumer;

/**
 * Estimates the mean CPU demand of requests from their arrivals and departures at a server of V cores: the Baseline
 * algorithm (sPARE, sec. V-A1). In an interval between two events in which n requests are in service, each of them
 * receives core time of {@code interval * min(1, V / n)}. A request's demand is the sum of what it receives during its
 * stay. T is the mean demand.
 *
 * <p>Instead of visiting all requests at each event, it keeps a running sum S: the time that a request in service since
 * the start would have received. A demand is S at departure minus S at arrival. So an event costs O(1), and memory is
 * bounded by the measured requests in service. Requests beyond the bound still count in n. Mutable, for one owner.
 */
public final class BaselineEstimator {
    private final int cores;
    private final int maximumMeasured;
    private final Map<Long, Double> receivedAtArrival = new HashMap<>();
    private long inService;
    private long lastMicros = Long.MIN_VALUE;
    private double received;
    private long requests;
    private double mean;
    private double squares;

    /**
     * Creates the estimator of an idle server.
     *
     * @param cores V, at least 1
     * @param maximumMeasured most requests in service that are measured at a time, at least 1
     * @throws IllegalArgumentException if either is below 1
     */
    public BaselineEstimator(int cores, int maximumMeasured) {
        atLeastOne("cores", cores);
        atLeastOne("maximumMeasured", maximumMeasured);
        this.cores = cores;
        this.maximumMeasured = maximumMeasured;
    }

    /**
     * Handles the arrival of a request.
     *
     * @param requestId unique among those in service
     * @param atMicros time of one clock, not before the last event
     * @throws IllegalArgumentException if time goes back or the request is there already
     */
    public void arrive(long requestId, long atMicros) {
        advance(atMicros);
        if (receivedAtArrival.size() < maximumMeasured && receivedAtArrival.putIfAbsent(requestId, received) != null) {
            throw new IllegalArgumentException(
                    "request " + requestId + " arrives again; allowed: one that is not in service");
        }
        inService++;
    }

    /**
     * Handles the departure of an answered request; its demand counts. A request that never arrived is ignored.
     *
     * @return its demand, core-microseconds; empty if it was not measured
     */
    public OptionalDouble depart(long requestId, long atMicros) {
        Double before = leave(requestId, atMicros);
        if (before == null) {
            return OptionalDouble.empty();
        }
        double demand = received - before;
        requests++;
        double distance = demand - mean;
        mean += distance / requests;
        squares += distance * (demand - mean);
        return OptionalDouble.of(demand);
    }

    /** Removes an abandoned request from service; its demand does not count. */
    public void abandon(long requestId, long atMicros) {
        leave(requestId, atMicros);
    }

    private Double leave(long requestId, long atMicros) {
        advance(atMicros);
        Double before = receivedAtArrival.remove(requestId);
        if (before != null || inService > receivedAtArrival.size()) {
            inService--;
        }
        return before;
    }

    private void advance(long atMicros) {
        if (atMicros < lastMicros) {
            throw new IllegalArgumentException("event is at " + atMicros + " us; allowed: not before " + lastMicros);
        }
        if (inService > 0) {
            received += (atMicros - lastMicros) * coresOfARequest();
        }
        lastMicros = atMicros;
    }

    private double coresOfARequest() {
        return Math.min(1, (double) cores / inService);
    }

    /** Requests in service. */
    public long inService() {
        return inService;
    }

    /** Demand of the requests that departed since the start or the last {@link #take}. */
    public Demand demand() {
        return requests == 0
                ? Demand.NONE
                : new Demand(requests, mean, mean == 0 ? 0 : Math.sqrt(squares / requests) / mean);
    }

    /** Like {@link #demand}, and resets the counts; requests in service remain. */
    public Demand take() {
        Demand demand = demand();
        requests = 0;
        mean = 0;
        squares = 0;
        return demand;
    }

    /**
     * Computes the demand from complete stays, in any order; a few hundred suffice (sPARE, sec. V-A1). The stays must
     * include all requests of the server, since missing ones count as idle time.
     */
    public static Demand ofStays(Collection<Stay> stays, int cores) {
        return ofStays(stays, cores, demand -> {});
    }

    /**
     * Like {@link #ofStays(Collection, int)}, and reports each demand.
     *
     * @param demands receives demands, core-microseconds
     */
    public static Demand ofStays(Collection<Stay> stays, int cores, DoubleConsumer demands) {
        record RequestEvent(long atMicros, boolean arrival, long requestId) {}
        List<RequestEvent> events = new ArrayList<>(2 * stays.size());
        long requestId = 0;
        for (Stay stay : stays) {
            events.add(new RequestEvent(stay.arrivalMicros(), true, requestId));
            events.add(new RequestEvent(stay.departureMicros(), false, requestId++));
        }
        // At equal times arrivals come first, so that a stay of length 0 arrives before it departs.
        events.sort(Comparator.comparingLong(RequestEvent::atMicros)
                .thenComparing(RequestEvent::arrival, Comparator.reverseOrder()));
        BaselineEstimator estimator = new BaselineEstimator(cores, Math.max(1, stays.size()));
        for (RequestEvent event : events) {
            if (event.arrival()) {
                estimator.arrive(event.requestId(), event.atMicros());
            } else {
                estimator.depart(event.requestId(), event.atMicros()).ifPresent(demands);
            }
        }
        return estimator.demand();
    }

    static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: >= 1");
        }
    }
}
