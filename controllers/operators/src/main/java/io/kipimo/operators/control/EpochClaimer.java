package io.kipimo.operators.control;

import java.io.Serializable;

/**
 * Where a controller's epochs come from. Each attempt of a job claims one before its first
 * decision: after a restore the sequence goes back to the checkpoint's, and only a newer epoch
 * makes actuators listen again.
 */
@FunctionalInterface
public interface EpochClaimer extends Serializable {
    /**
     * Claims an epoch above every earlier one of the same log; at least 1, below 2^53.
     *
     * @param controller whose decisions will carry it
     * @param claimant job name and subtask, for those who read the log
     * @param nowMillis when, epoch milliseconds
     * @throws Exception if the log cannot be written; the attempt must not decide then
     */
    long claim(String controller, String claimant, long nowMillis) throws Exception;
}
