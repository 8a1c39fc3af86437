package io.kipimo.simulator.engine;

/** What happens when a timer fires. */
public interface Handler {
    /**
     * The time has come.
     *
     * @param argument given when the timer was made
     */
    void fire(long argument);
}
