package io.kipimo.core.replication;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Conditions that a search depends on, averaged over time.
 *
 * @param requestsPerSecond requests a second to tier 1
 * @param demandMicros T, core-microseconds a request, one a tier; empty: not known yet
 * @param variability w ({@link TargetMetric#variability}), one a tier, mean of windows under the factors in force
 * @param settledMillis total length of these windows; 0: the variability is not known yet
 */
record Conditions(double requestsPerSecond, List<Double> demandMicros, List<Double> variability, long settledMillis) {
    static Conditions of(ReplicationReading window, TargetMetric target) {
        return new Conditions(
                window.tiers().get(0).requestsPerSecond(),
                window.tiers().stream().map(t -> t.servers().demandMicros()).toList(),
                window.tiers().stream()
                        .map(t -> target.variability(t.requestLatency()))
                        .toList(),
                window.lengthMillis());
    }

    /**
     * The averages after the newest window.
     *
     * @param smoothingMillis time constant of the averages
     * @param settled whether the window lies under the factors in force; if not, only its load and its demands count
     */
    Conditions towards(Conditions newest, long smoothingMillis, boolean settled) {
        double weight = 1 - Math.exp(-(double) newest.settledMillis / smoothingMillis);
        double load = mean(requestsPerSecond, newest.requestsPerSecond, weight);
        List<Double> demand =
                demandMicros.isEmpty() ? newest.demandMicros : means(demandMicros, newest.demandMicros, weight);
        if (!settled) {
            return new Conditions(load, demand, variability, settledMillis);
        }
        // A plain mean at first, since otherwise the first window would have too much weight.
        long millis = settledMillis + newest.settledMillis;
        double share = Math.max(weight, (double) newest.settledMillis / millis);
        List<Double> moved = settledMillis == 0 ? newest.variability : means(variability, newest.variability, share);
        return new Conditions(load, demand, moved, millis);
    }

    /** Forgets the variability, since it depends on the factors in force. */
    Conditions withoutVariability() {
        return new Conditions(requestsPerSecond, demandMicros, variability, 0);
    }

    Conditions withVariability(Conditions of) {
        return new Conditions(requestsPerSecond, demandMicros, of.variability, of.settledMillis);
    }

    boolean loadDiffers(Conditions other, double change) {
        return differs(requestsPerSecond, other.requestsPerSecond, change);
    }

    boolean variabilityDiffers(Conditions other, double change) {
        for (int i = 0; i < variability.size(); i++) {
            if (differs(variability.get(i), other.variability.get(i), change)) {
                return true;
            }
        }
        return false;
    }

    private static List<Double> means(List<Double> old, List<Double> newest, double weight) {
        return IntStream.range(0, newest.size())
                .mapToObj(i -> mean(old.get(i), newest.get(i), weight))
                .toList();
    }

    private static double mean(double old, double newest, double weight) {
        return old + weight * (newest - old);
    }

    /**
     * Whether one value differs from the other by more than a relative change, upwards or downwards: a change of 1 is
     * twice or half.
     */
    private static boolean differs(double a, double b, double change) {
        return Math.max(a, b) > (1 + change) * Math.min(a, b);
    }
}
