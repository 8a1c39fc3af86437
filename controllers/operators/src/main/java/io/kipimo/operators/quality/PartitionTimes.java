package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.codec.LoggedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;

/**
 * How far each partition of answers and partial results has come, in the operator behind their
 * source. For one thread.
 */
public final class PartitionTimes {
    /** Kinds of events, each of which has a topic. */
    private static final int KINDS = 2;

    private final PartitionTime.Tolerance tolerance;

    /** By partition and kind; null: no events so far. */
    private PartitionTime[] times = {};

    private ListState<StoredPartitionTime> stored;

    public PartitionTimes(PartitionTime.Tolerance tolerance) {
        this.tolerance = tolerance;
    }

    static ListStateDescriptor<StoredPartitionTime> stateDescriptor() {
        return new ListStateDescriptor<>(
                "partition-times", FormatTypeInfo.of(new PartitionTimeFormat()));
    }

    /**
     * Continues from the state, if there is one, also after partitions have moved to another
     * subtask. A subtask also keeps what it does not read, until another one has read more.
     */
    public void initializeAnywhere(OperatorStateStore store) throws Exception {
        initialize(store.getUnionListState(stateDescriptor()));
    }

    /**
     * Continues from the state, if there is one, at the parallelism that wrote it. At another one
     * partitions begin anew: Flink's own source moves them anywhere. A union list would know them,
     * but with one in the vertex of this source Flink 2.2.1 fails stop-with-savepoint now and then
     * ("part of its tasks has called operators' finish method").
     */
    public void initialize(OperatorStateStore store) throws Exception {
        initialize(store.getListState(stateDescriptor()));
    }

    private void initialize(ListState<StoredPartitionTime> state) throws Exception {
        stored = state;
        for (StoredPartitionTime one : stored.get()) {
            if (one.time().hasReadMoreThan(timeAt(one.place()))) {
                times[one.place()] = one.time();
            }
        }
    }

    /** Writes the state. */
    public void snapshot() throws Exception {
        List<StoredPartitionTime> all = new ArrayList<>();
        for (int place = 0; place < times.length; place++) {
            if (times[place] != null) {
                all.add(new StoredPartitionTime(place, times[place]));
            }
        }
        stored.update(all);
    }

    /** Takes the next event of its partition; states in it how far the partition has come. */
    public void place(LoggedEvent event) {
        timeAt(event.partition() * KINDS + (event.isAnswer() ? 0 : 1)).place(event, tolerance);
    }

    private PartitionTime timeAt(int place) {
        if (place >= times.length) {
            times = Arrays.copyOf(times, Math.max(2 * times.length, place + 1));
        }
        if (times[place] == null) {
            times[place] = new PartitionTime();
        }
        return times[place];
    }
}
