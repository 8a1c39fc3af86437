package io.kipimo.simulator.engine;

/** Runs when a timer fires. */
public interface Handler {
    /**
     * Called at the timer's time.
     *
     * @param argument given when the timer was made
     */
    void fire(long argument);
}
