package io.kipimo.operators.control;

import java.io.Serializable;

/**
 * Source of a controller's epochs. Each attempt of a job claims an epoch before its first decision. After a restore,
 * the sequence numbers of decisions continue from the checkpoint and may repeat. Actuators accept such decisions only
 * because their epoch is newer.
 */
@FunctionalInterface
public interface EpochClaimer extends Serializable {
    /**
     * Claims an epoch above every earlier one of the same log; at least 1, below 2^53.
     *
     * @param controller name of the controller whose decisions carry the epoch
     * @param claimant job name and subtask, as information in the log
     * @param nowMillis time of the claim, epoch milliseconds
     * @throws Exception if the log cannot be written; the attempt must not decide then
     */
    long claim(String controller, String claimant, long nowMillis) throws Exception;
}
