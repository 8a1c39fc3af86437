package io.kipimo.core.ttl;

/**
 * Numbers of writes of one record: in its newest pane that has a write, and in the pane before that one.
 *
 * @param pane number of the newest pane, counted by {@link WriteWindow}
 */
public record WriteCount(long pane, long current, long previous) {
    public static final WriteCount NONE = new WriteCount(Long.MIN_VALUE, 0, 0);
}
