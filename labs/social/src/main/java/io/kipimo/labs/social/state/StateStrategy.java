package io.kipimo.labs.social.state;

/** A way to restore the store's first state. */
public interface StateStrategy extends AutoCloseable {
    /** The store has just been loaded: saves what {@link #restore} needs. */
    default void loaded() {}

    /**
     * Restores the first state; blocks.
     *
     * @param log of all writes since then
     */
    void restore(WriteLog log);

    @Override
    default void close() {}
}
