package io.kipimo.core.guard;

/**
 * Decides the next value of one controlled figure; a pure function. A guard rail is a governor
 * around a governor. One that holds does not ask, or does not heed, the one within, and keeps its
 * state as it was.
 *
 * @param <S> state of the controller in the middle
 */
@FunctionalInterface
public interface Governor<S> {
    Outcome<S> decide(S state, Situation situation);
}
