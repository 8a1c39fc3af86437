package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ForgottenQueries.Part;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Queries that a {@link LocalQueryJoinOperator} has removed from a partition, in its state.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredForgotten(int partition, int partitions, Part part) {
    void write(DataOutputView out) throws IOException {
        out.writeInt(partition);
        out.writeInt(partitions);
        out.writeLong(part.sinceMillis());
        out.writeLong(part.untilMillis());
        out.writeInt(part.numbers().length);
        for (long number : part.numbers()) {
            out.writeLong(number);
        }
    }

    static StoredForgotten read(DataInputView in) throws IOException {
        int partition = in.readInt();
        int partitions = in.readInt();
        long sinceMillis = in.readLong();
        long untilMillis = in.readLong();
        long[] numbers = new long[in.readInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.readLong();
        }
        return new StoredForgotten(
                partition, partitions, new Part(sinceMillis, untilMillis, numbers));
    }
}
