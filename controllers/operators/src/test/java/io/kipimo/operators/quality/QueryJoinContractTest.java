package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/**
 * The join in the task of the source, with subtasks that are killed and restored with another parallelism, and at times
 * with more partitions. Some events are in a wrong partition.
 */
class QueryJoinContractTest extends JoinContract {
    private static final int MAX_PARALLELISM = 128;

    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        Random random = new Random(seed);
        Job job = new Job(random);
        job.start(new HashPartitions(1 + random.nextInt(4)), 1 + random.nextInt(3), List.of());
        int from = 0;
        for (int kills = random.nextInt(4); kills > 0; kills--) {
            int snapshotAt = from + random.nextInt(arrivals.size() - from + 1);
            job.deliver(arrivals.subList(from, snapshotAt));
            List<OperatorSubtaskState> snapshot = JoinHarness.snapshot(job.subtasks);
            OperatorSubtaskState bounds = job.snapshotBounds();
            int killedAt = snapshotAt + random.nextInt(arrivals.size() - snapshotAt + 1);
            job.deliver(arrivals.subList(snapshotAt, killedAt));
            job.kill();
            HashPartitions partitions = random.nextInt(3) == 0
                    ? new HashPartitions(job.partitions.count() + 1 + random.nextInt(3))
                    : job.partitions;
            int parallelism =
                    partitions.greatestParallelism(job.partitions.count(), 1 + random.nextInt(3), MAX_PARALLELISM);
            job.startBounds(bounds);
            job.start(partitions, parallelism, snapshot);
            from = snapshotAt;
        }
        job.deliver(arrivals.subList(from, arrivals.size()));
        return job.end();
    }

    /** The subtasks of the join, and the operator behind them, which learns from all rows. */
    private static final class Job {
        private final Joined joined = new Joined();
        private final List<JoinHarness> subtasks = new ArrayList<>();
        private OneInputStreamOperatorTestHarness<Measurement, Measurement> bounds;
        private HashPartitions partitions;
        private long newestMillis = Long.MIN_VALUE;

        private final Random random;

        Job(Random random) throws Exception {
            this.random = random;
            startBounds(null);
        }

        void startBounds(OperatorSubtaskState snapshot) throws Exception {
            bounds = BoundsHarness.alone();
            if (snapshot != null) {
                bounds.initializeState(snapshot);
            }
            bounds.open();
        }

        void start(HashPartitions partitions, int parallelism, List<OperatorSubtaskState> snapshot) throws Exception {
            this.partitions = partitions;
            this.newestMillis = Long.MIN_VALUE;
            for (int subtask = 0; subtask < parallelism; subtask++) {
                JoinHarness harness = JoinHarness.of(
                        JoinTraffic.policy(),
                        Duration.ofMinutes(1),
                        partitions,
                        new PartitionTime.Tolerance(JoinTraffic.OUT_OF_ORDER_MILLIS, 10_000),
                        MAX_PARALLELISM,
                        parallelism,
                        subtask);
                JoinHarness.open(harness, snapshot, MAX_PARALLELISM, parallelism, subtask);
                subtasks.add(harness);
            }
        }

        private int ownerOf(int partition) {
            return partitions.owner(partition, subtasks.size(), MAX_PARALLELISM);
        }

        /** A tenth of the events are in any partition. */
        void deliver(List<Arrival> arrivals) throws Exception {
            for (Arrival arrival : arrivals) {
                LoggedEvent unplaced = Events.logged(arrival.event());
                int partition = partitions.partitionOf(unplaced.key());
                int found = random.nextInt(10) == 0 ? random.nextInt(partitions.count()) : partition;
                long millis = unplaced.eventTimeMillis();
                var reader = subtasks.get(ownerOf(found));
                var owner = subtasks.get(ownerOf(partition));
                reader.read(Events.logged(arrival.event(), found), millis);
                var strays = reader.getSideOutput(QueryJoinOperator.STRAYS_OUTPUT);
                assertThat(strays == null ? 0 : strays.size())
                        .as("strays of other subtasks are written again")
                        .isEqualTo(reader == owner ? 0 : 1);
                if (reader != owner) {
                    strays.clear();
                    owner.read(new RewrittenInput(Events.logged(arrival.event(), partition)), millis);
                }
                newestMillis = Math.max(newestMillis, millis);
                advance(newestMillis - JoinTraffic.OUT_OF_ORDER_MILLIS - 1);
            }
        }

        private void advance(long millis) throws Exception {
            for (JoinHarness subtask : subtasks) {
                subtask.processWatermark(new Watermark(millis));
                flow(subtask);
            }
        }

        private void flow(JoinHarness subtask) throws Exception {
            for (Object output : subtask.getOutput()) {
                if (output instanceof StreamRecord<?> measured) {
                    bounds.processElement((Measurement) measured.getValue(), measured.getTimestamp());
                }
            }
            subtask.getOutput().clear();
            joined.rows().addAll(bounds.extractOutputValues());
            bounds.getOutput().clear();
            var profiles = subtask.getSideOutput(QueryJoinOperator.PROFILES_OUTPUT);
            if (profiles != null) {
                for (StreamRecord<QueryProfile> profile : profiles) {
                    joined.profiles().add(profile.getValue());
                }
                profiles.clear();
            }
        }

        OperatorSubtaskState snapshotBounds() throws Exception {
            return bounds.snapshot(1, 1);
        }

        void kill() throws Exception {
            bounds.close();
            for (JoinHarness subtask : subtasks) {
                subtask.close();
            }
            subtasks.clear();
        }

        Joined end() throws Exception {
            advance(JoinTraffic.BEGIN_MILLIS + 3_600_000);
            kill();
            return joined;
        }
    }
}
