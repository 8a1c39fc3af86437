package io.kipimo.core.guard;

/**
 * A controller of one service or target: a pure function from its state, an input and the context of the step to its
 * next state and its decisions. Flink jobs, the simulator and replays of recordings call only these two methods of a
 * controller.
 *
 * @param <S> state that one step passes to the next
 * @param <I> input: a window, a reading, a report
 * @param <D> decision
 * @param <P> policy that it follows
 */
public interface Controller<S, I, D, P> {
    /** A step on an input. It decides nothing if the input is not for this controller. */
    Step<S, D> step(S state, I input, StepContext<P> context);

    /**
     * A step without an input, once a period: it renews the leases, applies overrides and detects that inputs have
     * stopped.
     */
    Step<S, D> heartbeat(S state, StepContext<P> context);
}
