package io.kipimo.core.admission;

/**
 * State of a {@link PidController}.
 *
 * @param error e' of the last step
 * @param measured measurement of the last step, 0..1
 * @param slope filtered slope of the lost quality, per second
 * @param atMillis time of the last step, epoch milliseconds; 0: not started
 * @param pending computed change that was too small to make, admitted fraction
 */
record PidState(double error, double measured, double slope, long atMillis, double pending) {
    /** The state before the first measurement. */
    public static final PidState UNSTARTED = new PidState(0, 0, 0, 0, 0);

    public boolean isStarted() {
        return atMillis != 0;
    }
}
