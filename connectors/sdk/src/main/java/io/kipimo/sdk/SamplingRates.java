package io.kipimo.sdk;

import io.kipimo.core.sampling.adaptive.SamplingBudget;
import io.kipimo.schemas.decision.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which sampling rate holds for a query that started at some time. Every component of a service
 * decides alone and all must decide alike, so a decision takes effect a fixed time after it was
 * issued, when all of them know it, its value does not creep as an admitted fraction does, and the
 * lately replaced rates are kept for queries under way.
 */
final class SamplingRates {
    /** From a decision's issue to its effect. */
    static final long PROPAGATION_MILLIS = 5_000;

    /** Decisions come every few seconds, queries are under way for less. */
    private static final int KEPT = 64;

    private final double initial;

    /** In the order of their effect, never changed in place. */
    private volatile List<Decision> decisions = List.of();

    SamplingRates(double initial) {
        this.initial = initial;
    }

    /** Takes a newer decision; others are ignored, as are those that nobody is to apply. */
    synchronized void accept(Decision decision) {
        List<Decision> known = decisions;
        if (!decision.mode().isEffective()
                || (!known.isEmpty()
                        && !decision.isNewerThan(
                                known.get(known.size() - 1).epoch(),
                                known.get(known.size() - 1).sequence()))) {
            return;
        }
        List<Decision> next = new ArrayList<>(known);
        // A new controller may have issued earlier than the one that it replaces.
        next.removeIf(d -> d.issuedAtMillis() >= decision.issuedAtMillis());
        next.add(decision);
        decisions = List.copyOf(next.subList(Math.max(0, next.size() - KEPT), next.size()));
    }

    /** 0..1; the initial rate before the first decision and after the last one's lease. */
    double rateAt(long startedAtMillis) {
        return inForceAt(startedAtMillis).map(Decision::value).orElse(initial);
    }

    /** Whether samples are to go to queries with a time-out first. */
    boolean isScarceAt(long startedAtMillis) {
        return inForceAt(startedAtMillis)
                .filter(d -> SamplingBudget.isScarce(d.reason()))
                .isPresent();
    }

    private Optional<Decision> inForceAt(long startedAtMillis) {
        List<Decision> known = decisions;
        for (int i = known.size() - 1; i >= 0; i--) {
            Decision decision = known.get(i);
            if (startedAtMillis >= decision.issuedAtMillis() + PROPAGATION_MILLIS) {
                return startedAtMillis < decision.validUntilMillis() + PROPAGATION_MILLIS
                        ? Optional.of(decision)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
