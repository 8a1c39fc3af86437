package io.kipimo.core.ttl;

/**
 * Writes of one record in its newest pane with a write, and in the pane before.
 *
 * @param pane number of the newest pane, counted by {@link WriteWindow}
 */
public record WriteCount(long pane, long current, long previous) {
    public static final WriteCount NONE = new WriteCount(Long.MIN_VALUE, 0, 0);
}
