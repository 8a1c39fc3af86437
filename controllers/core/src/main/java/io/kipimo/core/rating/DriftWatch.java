package io.kipimo.core.rating;

import io.kipimo.core.guard.Step;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Detects when a rating no longer holds: (state, fact) -> (state, reasons).
 *
 * <p>A rating holds for one mix of requests, one capacity and one variability of service times. The baseline is the
 * first profile after the rating, because the load during the rating was artificial. Later profiles are compared with
 * the baseline. Two successive profiles that differ too much make the rating stale; a single one does not. Aspects
 * without facts are not compared.
 */
public final class DriftWatch {

    /**
     * Thresholds from which a rating is stale.
     *
     * @param profileMillis length of a profile, 1,000 or more
     * @param mostMixShift share of the requests that may have moved to other classes, 0..1
     * @param mostCapacityChange fraction by which the capacity of a tier may rise or fall, more than 0
     * @param mostVariabilityChange fraction by which the latencies' coefficient of variation may rise or fall, more
     *     than 0
     */
    public record Drift(
            long profileMillis, double mostMixShift, double mostCapacityChange, double mostVariabilityChange)
            implements Serializable {
        public static final Drift DEFAULT = new Drift(600_000, 0.1, 0.2, 0.5);

        public Drift {
            if (profileMillis < 1_000) {
                throw new IllegalArgumentException("profileMillis is " + profileMillis + "; allowed: 1000 or more");
            }
            if (!(mostMixShift >= 0 && mostMixShift <= 1)) {
                throw new IllegalArgumentException("mostMixShift is " + mostMixShift + "; allowed: 0..1");
            }
            if (!(mostCapacityChange > 0) || !(mostVariabilityChange > 0)) {
                throw new IllegalArgumentException("changes are " + mostCapacityChange + " and " + mostVariabilityChange
                        + "; allowed: more than 0");
            }
        }
    }

    private static final int ENOUGH = 2;

    /** Least number of requests in a profile for comparing shares of classes. */
    private static final double LEAST_REQUESTS = 100;

    private DriftWatch() {}

    /**
     * Adds a fact. Late facts are ignored.
     *
     * @return the next state. Its decisions are the reasons why the rating is stale, one sentence each; without a
     *     decision the rating still holds
     */
    public static Step<DriftState, String> observe(Drift settings, DriftState state, ServiceFact fact) {
        ServiceProfile current = state.current();
        if (fact.atMillis() < current.startMillis() || !(fact.amount() >= 0 && Double.isFinite(fact.amount()))) {
            return Step.silent(state);
        }
        if (fact.atMillis() < current.startMillis() + settings.profileMillis()) {
            return Step.silent(new DriftState(state.baseline(), current.plus(fact), state.drifted()));
        }
        ServiceProfile next = ServiceProfile.from(fact.atMillis()).plus(fact);
        if (current.isEmpty()) {
            return Step.silent(new DriftState(state.baseline(), next, state.drifted()));
        }
        if (state.baseline() == null) {
            return Step.silent(new DriftState(current, next, 0));
        }
        List<String> reasons = compare(settings, state.baseline(), current);
        int drifted = reasons.isEmpty() ? 0 : state.drifted() + 1;
        return new Step<>(new DriftState(state.baseline(), next, drifted), drifted >= ENOUGH ? reasons : List.of());
    }

    /** Differences between {@code now} and {@code rated} that exceed the thresholds. */
    static List<String> compare(Drift settings, ServiceProfile rated, ServiceProfile now) {
        List<String> reasons = new ArrayList<>();
        if (rated.totalRequests() >= LEAST_REQUESTS && now.totalRequests() >= LEAST_REQUESTS) {
            TreeSet<String> classes = new TreeSet<>(rated.requests().keySet());
            classes.addAll(now.requests().keySet());
            double shift = classes.stream()
                            .mapToDouble(c -> Math.abs(rated.share(c) - now.share(c)))
                            .sum()
                    / 2;
            if (shift > settings.mostMixShift()) {
                reasons.add(
                        String.format(Locale.ROOT, "mix: %.0f %% of the requests are of other classes", 100 * shift));
            }
        }
        for (String tier : new TreeSet<>(rated.capacities().keySet())) {
            if (now.capacities().containsKey(tier)) {
                changed(
                        reasons,
                        "capacity of " + tier,
                        rated.meanCapacity(tier),
                        now.meanCapacity(tier),
                        settings.mostCapacityChange());
            }
        }
        if (rated.variabilities() > 0 && now.variabilities() > 0) {
            changed(
                    reasons,
                    "variability of latencies",
                    rated.meanVariability(),
                    now.meanVariability(),
                    settings.mostVariabilityChange());
        }
        return reasons;
    }

    /** Compares by ratio, so half and double differ equally. */
    private static void changed(List<String> reasons, String what, double rated, double now, double most) {
        if (rated > 0 && now > 0 && Math.abs(Math.log(now / rated)) > Math.log1p(most)) {
            reasons.add(String.format(Locale.ROOT, "%s: %.3g, was %.3g", what, now, rated));
        }
    }
}
