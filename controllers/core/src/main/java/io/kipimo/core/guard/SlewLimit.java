package io.kipimo.core.guard;

/** The value moves by at most {@code up} or {@code down} a step. */
public record SlewLimit<S>(double up, double down, Governor<S> inner) implements Governor<S> {
    @Override
    public Outcome<S> decide(S state, Situation now) {
        Outcome<S> wanted = inner.decide(state, now);
        double limited =
                Math.max(now.inForce() - down, Math.min(now.inForce() + up, wanted.value()));
        return wanted.withValue(limited);
    }
}
