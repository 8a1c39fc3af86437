package io.kipimo.core.control;

/**
 * A controller of one service or target: a pure function from its state, an input and the context
 * of the step to its next state and its decisions. Flink jobs, the simulator and replays of what
 * was recorded all call these two methods and nothing else of a controller.
 *
 * @param <S> state: all that it remembers from one step to the next
 * @param <I> input: a window, a reading, a report
 * @param <D> decision
 * @param <P> policy: what people ask of it
 */
public interface Controller<S, I, D, P> {
    /** A step on an input; no decisions if the input is not for this controller. */
    Step<S, D> step(S state, I input, StepContext<P> context);

    /**
     * A step without an input, once a period: it renews the leases, applies overrides and notices
     * that inputs have stopped.
     */
    Step<S, D> heartbeat(S state, StepContext<P> context);
}
