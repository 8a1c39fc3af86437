package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the share of requests answered within a latency bound when N duplicates all work on every request and the
 * first answer wins (Zoolander, sec. 4.3):
 *
 * <pre>
 * s = 1 - product over n of (1 - Phi_n(tau_n))
 * tau_n = tau - (1 + Cv_n^2) / 2 * rho_n / (1 - rho_n) * mu_n - mu_net,  rho_n = lambda * mu_n
 * </pre>
 *
 * <p>The paper's series {@code sum over n of Phi_n * product over i < n of (1 - Phi_i)} is the same number. A duplicate
 * with rho at or above 1, or with no time left, contributes nothing.
 *
 * <p>Limits of the model: it gives each request the mean queueing delay of an M/G/1 queue, and it treats the waits of
 * duplicates as independent, though they have the same arrivals. {@link #greatestError} bounds the error;
 * {@link SimulatedQueues} does not have these limits.
 */
public final class Zoolander {
    private Zoolander() {}

    /**
     * Service level of duplicates that may differ, 0..1; it is 0 without duplicates.
     *
     * @param tauMillis latency bound, finite, 0 or more
     */
    public static double serviceLevel(List<Duplicate> duplicates, double tauMillis) {
        Duplicate.atLeast0("tauMillis", tauMillis);
        double late = 1;
        for (Duplicate duplicate : duplicates) {
            late *= 1 - duplicate.shareInTime(tauMillis);
        }
        return 1 - late;
    }

    /**
     * A mix of equal servers: {@code replicas} groups share the requests evenly, the {@code duplicates} of a group
     * repeat them.
     *
     * @param arrivalsPerSecond requests a second to all groups together
     * @throws IllegalArgumentException if replicas or duplicates are below 1
     */
    public static Mix mix(
            ServiceTimes times,
            double tauMillis,
            int replicas,
            int duplicates,
            double arrivalsPerSecond,
            double networkMillis) {
        return mix(List.of(times), tauMillis, replicas, duplicates, arrivalsPerSecond, networkMillis);
    }

    /** A mix whose duplicates may differ: {@code times} has one distribution for each duplicate, or one for all. */
    public static Mix mix(
            List<ServiceTimes> times,
            double tauMillis,
            int replicas,
            int duplicates,
            double arrivalsPerSecond,
            double networkMillis) {
        atLeast1("replicas", replicas);
        atLeast1("duplicates", duplicates);
        Duplicate.atLeast0("tauMillis", tauMillis);
        if (times.size() != 1 && times.size() != duplicates) {
            throw new IllegalArgumentException(
                    "distributions are %s for %s duplicates; allowed: one for all, or one each"
                            .formatted(times.size(), duplicates));
        }
        List<Duplicate> group = new ArrayList<>();
        for (ServiceTimes one : times) {
            group.add(new Duplicate(one, arrivalsPerSecond / replicas, networkMillis));
        }
        double level = times.size() == 1
                ? 1 - Math.pow(1 - group.get(0).shareInTime(tauMillis), duplicates)
                : serviceLevel(group, tauMillis);
        return new Mix(
                replicas,
                duplicates,
                level,
                0,
                List.copyOf(group),
                group.stream()
                        .map(duplicate -> duplicate.shareInTime(tauMillis))
                        .toList());
    }

    /**
     * Bound of the difference between a predicted service level and the level of first-in, first-out servers with
     * Poisson arrivals. At least 1 - rho of the requests do not wait at all, so waits lower the level without waits by
     * at most rho. The prediction is also below the level without waits.
     *
     * @param mix a prediction by this model
     * @return 0..1
     */
    public static double greatestError(Mix mix, double tauMillis) {
        List<Duplicate> idle = mix.group().stream()
                .map(one -> new Duplicate(one.times(), 0, one.networkMillis()))
                .toList();
        double withoutWaits = idle.size() == 1
                ? 1 - Math.pow(1 - idle.get(0).shareInTime(tauMillis), mix.duplicates())
                : serviceLevel(idle, tauMillis);
        double busiest =
                mix.group().stream().mapToDouble(Duplicate::utilisation).max().orElse(0);
        return Math.min(withoutWaits, Math.max(busiest, withoutWaits - mix.serviceLevel()));
    }

    static void atLeast1(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " are " + value + "; allowed: >= 1");
        }
    }
}
