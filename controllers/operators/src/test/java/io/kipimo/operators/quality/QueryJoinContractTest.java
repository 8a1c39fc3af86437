package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/**
 * The join and the bounds of its expired rows, killed and restored on the way. Event time begins anew after a kill, and
 * what came after the snapshot comes again.
 */
class QueryJoinContractTest extends JoinContract {
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        Random random = new Random(seed);
        Job job = new Job();
        int from = 0;
        for (int kills = random.nextInt(4); kills > 0; kills--) {
            int snapshotAt = from + random.nextInt(arrivals.size() - from + 1);
            job.deliver(arrivals.subList(from, snapshotAt));
            Snapshot snapshot = job.snapshot();
            int killedAt = snapshotAt + random.nextInt(arrivals.size() - snapshotAt + 1);
            job.deliver(arrivals.subList(snapshotAt, killedAt));
            job.restore(snapshot);
            from = snapshotAt;
        }
        job.deliver(arrivals.subList(from, arrivals.size()));
        return job.end();
    }

    JoinHarness harness(Map<String, Policy> known, Duration backStop) throws Exception {
        return new JoinHarness(known, backStop, 1, 0);
    }

    private record Snapshot(OperatorSubtaskState join, OperatorSubtaskState bounds) {}

    /** Two operators of the quality job. */
    private final class Job {
        private final Joined joined = new Joined();
        private JoinHarness join;
        private OneInputStreamOperatorTestHarness<Measurement, Measurement> bounds;

        Job() throws Exception {
            create();
            open();
        }

        private void create() throws Exception {
            join = harness(Map.of("shop", JoinTraffic.policy()), Duration.ofMinutes(1));
            bounds = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(new ExpiredBoundsFunction()));
        }

        private void open() throws Exception {
            join.open();
            bounds.open();
            join.processWatermarkStatus2(WatermarkStatus.IDLE);
        }

        void deliver(List<Arrival> arrivals) throws Exception {
            long newest = Long.MIN_VALUE;
            for (Arrival arrival : arrivals) {
                long millis = arrival.event().eventTimeMillis();
                join.processElement(Events.logged(arrival.event()), millis);
                newest = Math.max(newest, millis);
                join.processWatermark(newest - JoinTraffic.OUT_OF_ORDER_MILLIS - 1);
                flow();
            }
        }

        /** The second operator is chained to the first. */
        private void flow() throws Exception {
            for (Object output : join.getOutput()) {
                if (output instanceof StreamRecord<?> measured) {
                    bounds.processElement((Measurement) measured.getValue(), measured.getTimestamp());
                }
            }
            join.getOutput().clear();
            joined.rows().addAll(bounds.extractOutputValues());
            bounds.getOutput().clear();
            var profiles = join.getSideOutput(QueryJoinOperator.PROFILES_OUTPUT);
            if (profiles != null) {
                for (StreamRecord<QueryProfile> profile : profiles) {
                    joined.profiles().add(profile.getValue());
                }
                profiles.clear();
            }
        }

        Snapshot snapshot() throws Exception {
            return new Snapshot(join.snapshot(1, 1), bounds.snapshot(1, 1));
        }

        void restore(Snapshot snapshot) throws Exception {
            join.close();
            bounds.close();
            create();
            join.initializeState(snapshot.join());
            bounds.initializeState(snapshot.bounds());
            open();
        }

        Joined end() throws Exception {
            join.processWatermark(JoinTraffic.BEGIN_MILLIS + 3_600_000);
            flow();
            assertThat(KeyedState.entries(join)).isZero();
            assertThat(join.join().isIdle()).isTrue();
            join.close();
            bounds.close();
            return joined;
        }
    }
}
