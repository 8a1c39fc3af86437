package io.kipimo.core.rating;

import java.util.HashMap;
import java.util.Map;

/**
 * Sums of the observations of a service over some minutes.
 *
 * @param startMillis start of the profile, epoch milliseconds
 * @param requests offered requests, by class
 * @param capacity sum of the observed capacities, by tier, requests a second
 * @param capacities number of observed capacities, by tier
 * @param variability sum of the observed coefficients of variation
 * @param variabilities number of observed coefficients
 */
record ServiceProfile(
        long startMillis,
        Map<String, Double> requests,
        Map<String, Double> capacity,
        Map<String, Long> capacities,
        double variability,
        long variabilities) {
    /** Greatest number of names of classes, and of tiers, that are kept; a real service has fewer. */
    private static final int MOST_NAMES = 64;

    static ServiceProfile from(long startMillis) {
        return new ServiceProfile(startMillis, Map.of(), Map.of(), Map.of(), 0, 0);
    }

    ServiceProfile plus(ServiceFact fact) {
        return switch (fact.aspect()) {
            case MIX ->
                new ServiceProfile(
                        startMillis,
                        plus(requests, fact.name(), fact.amount()),
                        capacity,
                        capacities,
                        variability,
                        variabilities);
            case CAPACITY -> {
                Map<String, Long> counts = new HashMap<>(capacities);
                if (counts.containsKey(fact.name()) || counts.size() < MOST_NAMES) {
                    counts.merge(fact.name(), 1L, Long::sum);
                }
                yield new ServiceProfile(
                        startMillis,
                        requests,
                        plus(capacity, fact.name(), fact.amount()),
                        counts,
                        variability,
                        variabilities);
            }
            case VARIABILITY ->
                new ServiceProfile(
                        startMillis, requests, capacity, capacities, variability + fact.amount(), variabilities + 1);
        };
    }

    private static Map<String, Double> plus(Map<String, Double> sums, String name, double amount) {
        Map<String, Double> next = new HashMap<>(sums);
        if (next.containsKey(name) || next.size() < MOST_NAMES) {
            next.merge(name, amount, Double::sum);
        }
        return next;
    }

    boolean isEmpty() {
        return totalRequests() == 0 && capacities.isEmpty() && variabilities == 0;
    }

    double totalRequests() {
        return requests.values().stream().mapToDouble(r -> r).sum();
    }

    /** Share of the requests that are of {@code queryClass}, 0..1. The profile must have requests. */
    double share(String queryClass) {
        return requests.getOrDefault(queryClass, 0.0) / totalRequests();
    }

    /** Mean capacity of a tier, requests a second. The tier must have observations. */
    double meanCapacity(String tier) {
        return capacity.get(tier) / capacities.get(tier);
    }

    /** Mean coefficient of variation. The profile must have observations of it. */
    double meanVariability() {
        return variability / variabilities;
    }
}
