package io.kipimo.core.guard;

import java.util.List;

/**
 * One rule on what a control law may do. A guard decides in the law's place, or corrects what the
 * law decides, or passes it on. A guard that holds keeps the law's state as it was, unless it says
 * otherwise.
 *
 * @param <S> state of the law
 */
@FunctionalInterface
public interface Guard<S> {
    ControlOutput<S> decide(S state, ControlInput input, ControlLaw<S> law);

    /**
     * A law behind guards.
     *
     * @param guards the outermost first: its decision overrules those of the guards after it
     */
    static <S> ControlLaw<S> around(List<Guard<S>> guards, ControlLaw<S> law) {
        ControlLaw<S> guarded = law;
        for (int i = guards.size() - 1; i >= 0; i--) {
            Guard<S> guard = guards.get(i);
            ControlLaw<S> inner = guarded;
            guarded = (state, input) -> guard.decide(state, input, inner);
        }
        return guarded;
    }
}
