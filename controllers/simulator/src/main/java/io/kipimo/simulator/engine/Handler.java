package io.kipimo.simulator.engine;

/** Runs when a timer fires. */
public interface Handler {
    /**
     * Called at the timer's time.
     *
     * @param argument argument that was given when the timer was made
     */
    void fire(long argument);
}
