package io.kipimo.core.guard;

/**
 * When a controller last changed its value.
 *
 * @param atMillis epoch milliseconds; 0: never
 * @param newest quality of the newest step that it acted on, 0..1
 */
public record LastMove(long atMillis, double newest) {
    public static final LastMove NEVER = new LastMove(0, 0);
}
