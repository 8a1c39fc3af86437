package io.kipimo.operators.invalidation;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;

/** Gives the operator that numbers notifications access to their log. */
public interface NotificationLog extends Serializable {
    /**
     * Position from which a new writer continues.
     *
     * @param epoch epoch of the new writer. It is higher than that of every former writer, so readers skip
     *     notifications that former writers still send
     * @param next the sequence number after the last one in the log
     * @param sent identities of the notifications in the log from the requested sequence number on, without marks
     * @param latestMillis newest event time of these notifications; 0 if there are none
     * @param completeBeforeMillis time before which the log announces the partition as complete, epoch milliseconds; 0:
     *     it announces nothing newer than the checkpoint
     */
    record Resumption(long epoch, long next, List<String> sent, long latestMillis, long completeBeforeMillis) {
        public Resumption {
            sent = List.copyOf(sent);
        }
    }

    /**
     * Takes over a partition from former writers.
     *
     * @param from next sequence number at the last checkpoint; empty: there is no checkpoint
     * @throws Exception if the log cannot be read; the job fails and tries again
     */
    Resumption resume(int partition, OptionalLong from) throws Exception;
}
