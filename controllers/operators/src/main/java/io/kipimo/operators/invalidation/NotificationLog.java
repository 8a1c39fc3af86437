package io.kipimo.operators.invalidation;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;

/** The log of notifications, as the one who numbers them sees it. */
public interface NotificationLog extends Serializable {
    /**
     * Where a new writer goes on.
     *
     * @param epoch above that of every former writer: what those still send is not to be read
     * @param next the sequence after the last one in the log
     * @param sent identities of what is in the log from the sequence asked for, marks left out
     * @param latestMillis newest event time of these; 0 if there are none
     * @param completeBeforeMillis before which time the partition was told to be complete; 0: none
     *     that is newer than the checkpoint
     */
    record Resumption(
            long epoch,
            long next,
            List<String> sent,
            long latestMillis,
            long completeBeforeMillis) {
        public Resumption {
            sent = List.copyOf(sent);
        }
    }

    /**
     * Takes a partition over.
     *
     * @param from sequence that the last checkpoint knows as the next; empty: there is none
     * @throws Exception if the log cannot be read; the job fails and tries again
     */
    Resumption resume(int partition, OptionalLong from) throws Exception;
}
