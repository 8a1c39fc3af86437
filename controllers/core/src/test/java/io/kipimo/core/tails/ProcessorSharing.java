package io.kipimo.core.tails;

import io.kipimo.schemas.tails.Stay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * A server of V cores with exact processor sharing: with n requests in service, each gets min(1, V / n) of a core.
 * Arrivals are Poisson. It is independent of the estimator: it steps from departure to departure with the remaining
 * work of each request.
 */
public final class ProcessorSharing {
    /** The result. Times are rounded to microseconds, as by a clock. */
    public record Trace(List<Stay> stays, double meanDemandMicros) {}

    private ProcessorSharing() {}

    public static Trace run(
            int cores,
            double utilisation,
            double meanDemand,
            DoubleSupplier demand,
            int requests,
            RandomGenerator random) {
        record Job(double arrival, double finishWork) {}
        PriorityQueue<Job> inService = new PriorityQueue<>(Comparator.comparingDouble(Job::finishWork));
        double arrivalRate = utilisation * cores / meanDemand;
        double now = 0;
        double work = 0;
        double nextArrival = random.nextExponential() / arrivalRate;
        double sum = 0;
        int arrived = 0;
        List<Stay> stays = new ArrayList<>();
        while (arrived < requests || !inService.isEmpty()) {
            double share = Math.min(1, (double) cores / Math.max(1, inService.size()));
            double nextDeparture = inService.isEmpty()
                    ? Double.POSITIVE_INFINITY
                    : now + (inService.peek().finishWork() - work) / share;
            if (arrived < requests && nextArrival < nextDeparture) {
                work += inService.isEmpty() ? 0 : (nextArrival - now) * share;
                now = nextArrival;
                double need = demand.getAsDouble();
                sum += need;
                inService.add(new Job(now, work + need));
                arrived++;
                nextArrival = now + random.nextExponential() / arrivalRate;
            } else {
                Job done = inService.remove();
                work = done.finishWork();
                now = nextDeparture;
                stays.add(new Stay(Math.round(done.arrival()), Math.round(now)));
            }
        }
        return new Trace(stays, sum / requests);
    }
}
