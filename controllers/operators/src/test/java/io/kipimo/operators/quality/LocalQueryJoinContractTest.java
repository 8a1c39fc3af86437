package io.kipimo.operators.quality;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;

/**
 * The join in the task of the source, with subtasks that are killed and restored with another
 * parallelism, and at times with more partitions.
 */
class LocalQueryJoinContractTest extends JoinContract {
    private static final int MAX_PARALLELISM = 128;

    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        Random random = new Random(seed);
        Job job = new Job();
        job.start(new Partitions(1 + random.nextInt(4)), 1 + random.nextInt(3), List.of());
        int from = 0;
        for (int kills = random.nextInt(4); kills > 0; kills--) {
            int snapshotAt = from + random.nextInt(arrivals.size() - from + 1);
            job.deliver(arrivals.subList(from, snapshotAt));
            List<OperatorSubtaskState> snapshot = job.snapshot();
            OperatorSubtaskState bounds = job.snapshotBounds();
            int killedAt = snapshotAt + random.nextInt(arrivals.size() - snapshotAt + 1);
            job.deliver(arrivals.subList(snapshotAt, killedAt));
            job.kill();
            Partitions partitions =
                    random.nextInt(3) == 0
                            ? new Partitions(job.partitions.count() + 1 + random.nextInt(3))
                            : job.partitions;
            job.startBounds(bounds);
            job.start(partitions, 1 + random.nextInt(3), snapshot);
            from = snapshotAt;
        }
        job.deliver(arrivals.subList(from, arrivals.size()));
        return job.end();
    }

    private record Partitions(int count) implements LogPartitions {
        private static final long serialVersionUID = 1L;

        @Override
        public int partitionOf(QueryKey key) {
            return Math.floorMod(key.hashCode(), count);
        }
    }

    /** The subtasks of the join, and the operator behind them, which learns from all rows. */
    private static final class Job {
        private final Joined joined = new Joined();
        private final List<
                        OneInputStreamOperatorTestHarness<
                                Either<DeadLetter, JoinInput>, Measurement>>
                subtasks = new ArrayList<>();
        private OneInputStreamOperatorTestHarness<Measurement, Measurement> bounds;
        private Partitions partitions;
        private long newestMillis = Long.MIN_VALUE;

        Job() throws Exception {
            startBounds(null);
        }

        void startBounds(OperatorSubtaskState snapshot) throws Exception {
            bounds =
                    new OneInputStreamOperatorTestHarness<>(
                            new ProcessOperator<>(new ExpiredBoundsFunction()));
            if (snapshot != null) {
                bounds.initializeState(snapshot);
            }
            bounds.open();
        }

        void start(Partitions partitions, int parallelism, List<OperatorSubtaskState> snapshot)
                throws Exception {
            this.partitions = partitions;
            this.newestMillis = Long.MIN_VALUE;
            for (int subtask = 0; subtask < parallelism; subtask++) {
                OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>
                        harness =
                                new OneInputStreamOperatorTestHarness<>(
                                        new LocalQueryJoinOperator(
                                                new JoinSettings(
                                                        Map.of("shop", JoinTraffic.policy()),
                                                        "kipimo.",
                                                        1000,
                                                        Duration.ofMinutes(1)),
                                                partitions),
                                        MAX_PARALLELISM,
                                        parallelism,
                                        subtask);
                if (!snapshot.isEmpty()) {
                    harness.initializeState(
                            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                                    AbstractStreamOperatorTestHarness.repackageState(
                                            snapshot.toArray(new OperatorSubtaskState[0])),
                                    MAX_PARALLELISM,
                                    snapshot.size(),
                                    parallelism,
                                    subtask));
                }
                harness.open();
                subtasks.add(harness);
            }
        }

        void deliver(List<Arrival> arrivals) throws Exception {
            for (Arrival arrival : arrivals) {
                LoggedEvent unplaced = Events.logged(arrival.event());
                int partition = partitions.partitionOf(unplaced.key());
                LoggedEvent event = Events.logged(arrival.event(), partition);
                long millis = event.eventTimeMillis();
                subtasks.get(LogPartitions.owner(partition, subtasks.size()))
                        .processElement(new StreamRecord<>(Either.Right(event), millis));
                newestMillis = Math.max(newestMillis, millis);
                advance(newestMillis - JoinTraffic.OUT_OF_ORDER_MILLIS - 1);
            }
        }

        private void advance(long millis) throws Exception {
            for (OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>
                    subtask : subtasks) {
                subtask.processWatermark(new Watermark(millis));
                flow(subtask);
            }
        }

        private void flow(
                OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>
                        subtask)
                throws Exception {
            for (Object output : subtask.getOutput()) {
                if (output instanceof StreamRecord<?> measured) {
                    bounds.processElement(
                            (Measurement) measured.getValue(), measured.getTimestamp());
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

        List<OperatorSubtaskState> snapshot() throws Exception {
            List<OperatorSubtaskState> states = new ArrayList<>();
            for (OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>
                    subtask : subtasks) {
                states.add(subtask.snapshot(1, 1));
            }
            return states;
        }

        OperatorSubtaskState snapshotBounds() throws Exception {
            return bounds.snapshot(1, 1);
        }

        void kill() throws Exception {
            bounds.close();
            for (OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement>
                    subtask : subtasks) {
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
