package io.kipimo.core.guard;

/**
 * The last change of a controller's value.
 *
 * @param atMillis epoch milliseconds; 0: never
 * @param newest quality of the newest step at that time, 0..1
 */
public record LastMove(long atMillis, double newest) {
    public static final LastMove NEVER = new LastMove(0, 0);

    /**
     * A step with bad quality shows the effect of a move if less than this part of the step was before the move. The
     * part is small, because queries that were queued before the move count in the step.
     */
    private static final double BAD_BEFORE = 0.05;

    private static final double GOOD_BEFORE = 0.5;

    /** Whether a step shows the effect of this move. */
    public boolean isShownBy(long startMillis, long endMillis, boolean isBad) {
        return atMillis - startMillis < (isBad ? BAD_BEFORE : GOOD_BEFORE) * (endMillis - startMillis);
    }
}
