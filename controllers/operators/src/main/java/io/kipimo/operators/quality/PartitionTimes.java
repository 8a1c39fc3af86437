package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.codec.LoggedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;

/**
 * How far each partition of answers and partial results has come, in the operator behind their source. For one thread.
 */
public final class PartitionTimes {
    /** Kinds of events, each of which has a topic. */
    static final int KINDS = 2;

    private final PartitionTime.Tolerance tolerance;

    /** By partition and kind; null: no events so far. */
    private PartitionTime[] times = {};

    private ListState<StoredPartitionTime> stored;

    public PartitionTimes(PartitionTime.Tolerance tolerance) {
        this.tolerance = tolerance;
    }

    static ListStateDescriptor<StoredPartitionTime> stateDescriptor() {
        return new ListStateDescriptor<>("partition-times", QualityFormats.PARTITION_TIME.typeInfo());
    }

    /**
     * Continues from the stored state, if there is one and the parallelism is that at which it was written. At another
     * parallelism partitions begin anew, because Flink's own source moves partitions anywhere. A union list would know
     * them, but with one in the vertex of this source Flink 2.2.1 fails stop-with-savepoint now and then ("part of its
     * tasks has called operators' finish method").
     */
    public void initialize(OperatorStateStore store) throws Exception {
        stored = store.getListState(stateDescriptor());
        stored.get().forEach(this::restore);
    }

    /** Continues a partition. */
    void restore(StoredPartitionTime one) {
        if (one.time().hasReadMoreThan(timeAt(one.place()))) {
            times[one.place()] = one.time();
        }
    }

    /** Writes the state. */
    public void snapshot() throws Exception {
        stored.update(toStored());
    }

    /** How far all partitions have come. */
    List<StoredPartitionTime> toStored() {
        List<StoredPartitionTime> all = new ArrayList<>();
        for (int place = 0; place < times.length; place++) {
            if (times[place] != null) {
                all.add(new StoredPartitionTime(place, times[place]));
            }
        }
        return all;
    }

    /** Place of the topic of answers, or of partial results, in a partition. */
    static int placeOf(int partition, boolean isAnswer) {
        return partition * KINDS + (isAnswer ? 0 : 1);
    }

    /** Takes the next event of its partition, and states in the event how far the partition has come. */
    public void place(LoggedEvent event) {
        timeAt(placeOf(event.partition(), event.isAnswer())).place(event, tolerance);
    }

    /** Takes the next event of its partition, which is left out. */
    void pass(UnreadEvent event) {
        timeAt(event.place()).pass(event.eventTimeMillis(), event.appendMillis(), tolerance);
    }

    /** Event time that a partition has reached with either kind, epoch milliseconds; 0 if it was never read. */
    long reachedMillis(int partition) {
        long reached = 0;
        for (int place = partition * KINDS; place < Math.min(times.length, (partition + 1) * KINDS); place++) {
            reached = times[place] == null ? reached : Math.max(reached, times[place].reachedMillis());
        }
        return reached;
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
