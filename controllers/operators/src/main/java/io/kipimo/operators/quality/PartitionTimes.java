package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.codec.LoggedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;

/**
 * Tracks the event time that each partition of answers and partial results has reached, in the operator behind their
 * source. An instance is for one thread.
 */
public final class PartitionTimes {
    /** Number of kinds of events, answers and partial results, each of which has a topic. */
    static final int KINDS = 2;

    private final PartitionTime.Tolerance tolerance;

    /** Times by place ({@link #placeOf}); null: no events so far. */
    private PartitionTime[] times = {};

    private PartitionKeys keys;
    private Consumer<Object> key;
    private ListState<StoredPartitionTime> stored;

    public PartitionTimes(PartitionTime.Tolerance tolerance) {
        this.tolerance = tolerance;
    }

    static ListStateDescriptor<StoredPartitionTime> stateDescriptor() {
        return new ListStateDescriptor<>("partition-times", QualityFormats.PARTITION_TIME.typeInfo());
    }

    /**
     * Continues from the state of the partitions that this subtask owns. If partitions were added, another subtask may
     * read such a partition now; its time then begins anew.
     *
     * @param key sets Flink's current key, under which state is read and written
     */
    public void initialize(KeyedStateStore store, PartitionKeys keys, Consumer<Object> key) throws Exception {
        this.keys = keys;
        this.key = key;
        stored = store.getListState(stateDescriptor());
        for (int own : keys.ownFirst().toArray()) {
            key.accept(own);
            for (StoredPartitionTime one : stored.get()) {
                if (keys.isOwned(one.partition())) {
                    restore(one);
                }
            }
        }
    }

    /** Continues from a stored time of a partition, unless the known time has read more of the partition. */
    void restore(StoredPartitionTime one) {
        if (one.time().hasReadMoreThan(timeAt(one.place()))) {
            times[one.place()] = one.time();
        }
    }

    /** Writes the state. */
    public void snapshot() throws Exception {
        for (int own : keys.ownFirst().toArray()) {
            key.accept(own);
            stored.clear();
        }
        for (StoredPartitionTime one : toStored()) {
            // A partition that was added may be read here, while its state would be elsewhere.
            if (keys.isOwned(one.partition())) {
                key.accept(keys.key(one.partition(), 0));
                stored.add(one);
            }
        }
    }

    /** Returns copies of the times of all partitions, for the state. */
    List<StoredPartitionTime> toStored() {
        List<StoredPartitionTime> all = new ArrayList<>();
        for (int place = 0; place < times.length; place++) {
            if (times[place] != null) {
                all.add(new StoredPartitionTime(place, times[place]));
            }
        }
        return all;
    }

    /** Returns the index of the time for a partition of the topic of answers, or of partial results. */
    static int placeOf(int partition, boolean isAnswer) {
        return partition * KINDS + (isAnswer ? 0 : 1);
    }

    /** Takes the next event of its partition, and records in the event the time that the partition has reached. */
    public void place(LoggedEvent event) {
        timeAt(placeOf(event.partition(), event.isAnswer())).place(event, tolerance);
    }

    /** Takes the next event of its partition if that event is left out of the join. */
    public void pass(UnreadEvent event) {
        timeAt(event.place()).pass(event.eventTimeMillis(), event.appendMillis(), tolerance);
    }

    /** Event time that a partition has reached with either kind, epoch milliseconds; 0 if it was never read. */
    public long reachedMillis(int partition) {
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
