package io.kipimo.core.rating.drift;

import io.kipimo.core.control.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Whether a rating still holds: (state, fact) -> (state, why not).
 *
 * <p>A rating is of one mix of requests, one capacity and one variability of service times. What
 * these were is taken from the first profile after the rating, since while it ran the load was
 * made. Later profiles are held against that one; two in a row that differ too much make the rating
 * stale, so that one odd window does not. An aspect that nobody tells of is not judged.
 */
public final class DriftWatch {
    private static final int ENOUGH = 2;

    /** Requests of a profile below which shares of classes say nothing. */
    private static final double LEAST_REQUESTS = 100;

    private DriftWatch() {}

    /**
     * A step on a fact; late facts are passed over.
     *
     * @return why the rating is stale, a sentence each; no decisions: it is not
     */
    public static Step<DriftState, String> observe(
            DriftSettings settings, DriftState state, ServiceFact fact) {
        ServiceProfile current = state.current();
        if (fact.atMillis() < current.startMillis()
                || !(fact.amount() >= 0 && Double.isFinite(fact.amount()))) {
            return Step.silent(state);
        }
        if (fact.atMillis() < current.startMillis() + settings.profileMillis()) {
            return Step.silent(
                    new DriftState(state.baseline(), current.plus(fact), state.drifted()));
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
        return new Step<>(
                new DriftState(state.baseline(), next, drifted),
                drifted >= ENOUGH ? reasons : List.of());
    }

    /** How {@code now} differs from {@code rated}; empty: not by more than is allowed. */
    static List<String> compare(DriftSettings settings, ServiceProfile rated, ServiceProfile now) {
        List<String> reasons = new ArrayList<>();
        if (rated.totalRequests() >= LEAST_REQUESTS && now.totalRequests() >= LEAST_REQUESTS) {
            TreeSet<String> classes = new TreeSet<>(rated.requests().keySet());
            classes.addAll(now.requests().keySet());
            double shift =
                    classes.stream().mapToDouble(c -> Math.abs(rated.share(c) - now.share(c))).sum()
                            / 2;
            if (shift > settings.mostMixShift()) {
                reasons.add(
                        String.format(
                                Locale.ROOT,
                                "mix: %.0f %% of the requests are of other classes",
                                100 * shift));
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

    /** By the ratio, so that half and twice are as far. */
    private static void changed(
            List<String> reasons, String what, double rated, double now, double most) {
        if (rated > 0 && now > 0 && Math.abs(Math.log(now / rated)) > Math.log1p(most)) {
            reasons.add(String.format(Locale.ROOT, "%s: %.3g, was %.3g", what, now, rated));
        }
    }
}
