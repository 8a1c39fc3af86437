package io.kipimo.jobs;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** What can be known of a savepoint or checkpoint before a job starts from it. */
public final class Savepoint {
    private Savepoint() {}

    /**
     * Its operators, each with what its subtasks and its coordinator have stored.
     *
     * @param pointer address, as for Flink
     * @throws IOException if it cannot be read
     */
    public static Collection<OperatorState> operators(String pointer) throws IOException {
        try (DataInputStream in =
                new DataInputStream(AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(pointer)
                        .getMetadataHandle()
                        .openInputStream())) {
            return Checkpoints.loadCheckpointMetadata(in, Savepoint.class.getClassLoader(), pointer)
                    .getOperatorStates();
        }
    }
}
