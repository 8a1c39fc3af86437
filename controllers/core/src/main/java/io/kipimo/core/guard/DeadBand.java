package io.kipimo.core.guard;

/**
 * Holds while quality is within {@code width} of its objective. Above the objective the band takes
 * at most half of what is left up to 1, or an objective of 0.99 could never be exceeded.
 */
public record DeadBand<S>(double width, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        double distance = now.measured() - now.objective();
        boolean within =
                distance < 0
                        ? -distance <= width
                        : distance < Math.min(width, (1 - now.objective()) / 2);
        return within
                ? Outcome.hold(state, now.inForce(), Reason.WITHIN_DEAD_BAND)
                : inner.decide(state, now);
    }
}
