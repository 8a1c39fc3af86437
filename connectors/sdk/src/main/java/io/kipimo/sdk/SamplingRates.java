package io.kipimo.sdk;

import io.kipimo.core.sampling.SamplingBudget;
import io.kipimo.schemas.decision.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sampling rate for a query by its start time. Each component of a service decides by itself, and all must reach
 * the same result. Therefore a decision takes effect a fixed time after its issue, when all components have it. Its
 * value changes in one step, unlike an admitted fraction. Recent rates are kept for queries in progress.
 */
final class SamplingRates {
    /** Time from a decision's issue to its effect. */
    static final long PROPAGATION_MILLIS = 5_000;

    /** Number of decisions kept. They come every few seconds, so they cover more time than a query takes. */
    private static final int KEPT = 64;

    private final double initial;

    /** Recent decisions, in order of their effect; the list is replaced as a whole. */
    private volatile List<Decision> decisions = List.of();

    SamplingRates(double initial) {
        this.initial = initial;
    }

    /** Keeps a decision if it is newer and effective; ignores others, such as shadow decisions. */
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

    /** The rate, 0..1; the initial rate before the first decision and after the lease of the last one. */
    double rateAt(long startedAtMillis) {
        return inForceAt(startedAtMillis).map(Decision::value).orElse(initial);
    }

    /** Whether measuring is at its budget, so that complete answers are not profiled. */
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
