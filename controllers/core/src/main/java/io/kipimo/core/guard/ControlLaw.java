package io.kipimo.core.guard;

/**
 * Computes the next value of one controlled fraction; a pure function.
 *
 * @param <S> state of the law
 */
@FunctionalInterface
public interface ControlLaw<S> {
    ControlOutput<S> decide(S state, ControlInput input);
}
