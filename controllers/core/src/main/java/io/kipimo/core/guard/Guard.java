package io.kipimo.core.guard;

import java.util.List;

/**
 * A rule that limits a control law. A guard replaces the law's output, corrects it, or passes it on. A guard that holds
 * also keeps the law's state, unless its Javadoc states otherwise.
 *
 * @param <S> state of the law
 */
@FunctionalInterface
public interface Guard<S> {
    ControlOutput<S> decide(S state, ControlInput input, ControlLaw<S> law);

    /**
     * Puts a law behind guards.
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
