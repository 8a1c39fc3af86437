package io.kipimo.core.guard;

import java.util.List;
import java.util.Optional;

/**
 * Result of one step of a controller.
 *
 * @param next state after the step
 * @param decisions to be published, in this order; often none
 */
public record Step<S, D>(S next, List<D> decisions) {
    public Step {
        decisions = List.copyOf(decisions);
    }

    /** A step that decides nothing. */
    public static <S, D> Step<S, D> silent(S next) {
        return new Step<>(next, List.of());
    }

    /** A step that decides one thing. */
    public static <S, D> Step<S, D> of(S next, D decision) {
        return new Step<>(next, List.of(decision));
    }

    /** The decision of a step that takes at most one. */
    public Optional<D> decision() {
        return decisions.stream().findFirst();
    }

    /** Returns a step with these decisions and another state. */
    public <T> Step<T, D> withNext(T other) {
        return new Step<>(other, decisions);
    }
}
