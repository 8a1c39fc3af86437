package io.kipimo.operators.replication;

import io.kipimo.core.replication.ReplicationState;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of the replication loop's state, whose bytes contain a version of their own. */
public final class ReplicationStateFormat implements Format<ReplicationState> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ReplicationState> type() {
        return ReplicationState.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ReplicationState state, DataOutputView out) throws IOException {
        Format.writeBytes(state.toBytes(), out);
    }

    @Override
    public ReplicationState read(DataInputView in, int version) throws IOException {
        return ReplicationState.fromBytes(Format.readBytes(in));
    }
}
