package io.kipimo.operators.flink;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A failure after which Flink does not restart the job, since it would fail again. */
public final class FinalFailure {
    private FinalFailure() {}

    /** Returns the exception that the caller has to throw. */
    public static RuntimeException of(String reason) {
        return new SuppressRestartsException(new IllegalStateException(reason));
    }
}
