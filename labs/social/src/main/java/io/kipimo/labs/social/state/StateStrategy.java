package io.kipimo.labs.social.state;

/** One way to bring the store back to the state in which it was loaded. */
public interface StateStrategy extends AutoCloseable {
    /** The store has just been loaded: takes what is needed to come back to this. */
    default void loaded() {}

    /**
     * Brings the store back; blocks.
     *
     * @param log of all writes since it was in that state
     */
    void restore(WriteLog log);

    @Override
    default void close() {}
}
