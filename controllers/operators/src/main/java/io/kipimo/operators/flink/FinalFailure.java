package io.kipimo.operators.flink;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A failure after which Flink does not restart the job, since it would fail again. */
public final class FinalFailure {
    private FinalFailure() {}

    /** To be thrown. */
    public static RuntimeException of(String reason) {
        return new SuppressRestartsException(new IllegalStateException(reason));
    }
}
