package io.kipimo.labs.social.state;

/** A way to restore the store's initial state. */
public interface StateStrategy extends AutoCloseable {
    /** Saves the data for {@link #restore}. Called when the store has just been loaded. */
    default void loaded() {}

    /**
     * Restores the initial state. Blocks until it is restored.
     *
     * @param log of all writes since the initial state
     */
    void restore(WriteLog log);

    @Override
    default void close() {}
}
