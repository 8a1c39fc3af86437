package io.kipimo.core.ttl;

/**
 * How often one record was written, in the newest pane in which it was and in the one before.
 *
 * @param pane number of the newest, as {@link WriteWindow} divides time
 */
public record WriteCount(long pane, long current, long previous) {
    public static final WriteCount NONE = new WriteCount(Long.MIN_VALUE, 0, 0);
}
