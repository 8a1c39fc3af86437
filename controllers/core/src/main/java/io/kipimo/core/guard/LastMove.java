package io.kipimo.core.guard;

/**
 * The last change of a controller's value.
 *
 * @param atMillis epoch milliseconds; 0: never
 * @param newest quality of the newest step at that time, 0..1
 */
public record LastMove(long atMillis, double newest) {
    public static final LastMove NEVER = new LastMove(0, 0);
}
