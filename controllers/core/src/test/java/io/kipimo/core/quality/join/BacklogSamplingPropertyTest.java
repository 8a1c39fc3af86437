package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A job that is behind by more and less, and dies on its way, measures whole queries only: those of the rate at which
 * they began, with the same rows as a job that measures all.
 */
class BacklogSamplingPropertyTest {
    private static final QualitySettings SETTINGS = QualitySettings.of(JoinTraffic.policy());
    private static final BacklogSampling.BacklogSettings SAMPLING =
            new BacklogSampling.BacklogSettings(4, 60_000, 10_000);
    private static final long[] BEHIND = {0, 5_000, 30_000, 90_000, 150_000, 3_600_000};

    /** Event time between two checkpoints. */
    private static final long INTERVAL = 4_000;

    private record Checkpoint(int position, long reachedMillis, List<PartitionSnapshot> state) {}

    private final Map<String, Measurement> rows = new HashMap<>();

    private PartitionedJoin join(BacklogSampling.BacklogSettings sampling) {
        JoinOutput output = (row, before) -> {
            Measurement former = rows.put(row.queryId(), row);
            assertThat(former).as("a row that is written again").isIn(null, row);
        };
        return new PartitionedJoin(store -> new JoinEngine(store, s -> SETTINGS, false, output), sampling);
    }

    @Property(tries = 40, seed = "36")
    void aQueryIsMeasuredAsAWholeOrNotAtAll(@ForAll long seed) throws Exception {
        int unused = leftOut(seed);
    }

    @Example
    void someAreMeasuredAndSomeAreNot() throws Exception {
        assertThat(leftOut(36)).isBetween(20, 400);
    }

    /** Number of queries that are not measured. */
    private int leftOut(long seed) throws IOException {
        List<JoinTraffic.Arrival> arrivals = JoinTraffic.of(seed);
        rows.clear();
        PartitionedJoin full = join(BacklogSampling.BacklogSettings.OFF);
        for (JoinTraffic.Arrival arrival : arrivals) {
            take(full, arrival);
        }
        end(full);
        Map<String, Measurement> all = Map.copyOf(rows);

        rows.clear();
        BacklogSampling sampling = sampled(arrivals, new Random(seed));
        rows.forEach((id, row) -> assertThat(row.toBuilder().weight(0).build()).isEqualTo(all.get(id)));
        int out = 0;
        for (Measurement row : all.values()) {
            int weight = sampling.weight(row.startedAtMillis(), row.startedAtMillis());
            boolean isIn = BacklogSampling.isIn(ConsistentSampling.randomness(row.queryId()), weight);
            Measurement found = rows.get(row.queryId());
            // Nobody may know when a query without an answer began.
            if (row.completeness() != Completeness.ORPHAN) {
                assertThat(found != null).as("%s at weight %d", row, weight).isEqualTo(isIn);
                out += isIn ? 0 : 1;
            }
            if (found != null && row.completeness() != Completeness.ORPHAN) {
                assertThat(found.represents()).isEqualTo(weight);
            }
        }
        return out;
    }

    /** Reads the log with checkpoints, and twice what came after some of them. */
    private BacklogSampling sampled(List<JoinTraffic.Arrival> arrivals, Random random) throws IOException {
        PartitionedJoin join = join(SAMPLING);
        Checkpoint last = new Checkpoint(0, 0, List.of());
        long behind = BEHIND[random.nextInt(BEHIND.length)];
        long reached = 0;
        for (int position = 0; position < arrivals.size(); position++) {
            JoinTraffic.Arrival arrival = arrivals.get(position);
            join.backlog(0).see(behind);
            take(join, arrival);
            reached = Math.max(reached, arrival.event().eventTimeMillis());
            if (reached < last.reachedMillis + INTERVAL) {
                continue;
            }
            if (!last.state.isEmpty() && random.nextInt(4) == 0) {
                // It dies, and is further behind when it starts again.
                join = restored(last.state);
                position = last.position;
                reached = last.reachedMillis;
                behind = Math.max(behind, BEHIND[random.nextInt(BEHIND.length)]);
                continue;
            }
            long at = reached;
            last = new Checkpoint(position, reached, join.snapshot(partition -> at));
            behind = BEHIND[random.nextInt(BEHIND.length)];
        }
        end(join);
        return join.backlog(0);
    }

    private static void take(PartitionedJoin join, JoinTraffic.Arrival arrival) {
        join.advance(arrival.atMillis() - JoinTraffic.OUT_OF_ORDER_MILLIS);
        LoggedEvent event = Events.logged(arrival.event());
        assertThat(join.accept(0, event)).isTrue();
    }

    private static void end(PartitionedJoin join) {
        join.advance(JoinTraffic.BEGIN_MILLIS + 3_600_000);
    }

    private PartitionedJoin restored(List<PartitionSnapshot> snapshots) throws IOException {
        PartitionedJoin join = join(SAMPLING);
        for (PartitionSnapshot snapshot : snapshots) {
            join.restore(snapshot.partition(), snapshot.eventTimeMillis());
            join.backlog(snapshot.partition()).restore(snapshot.backlog());
            join.restore(snapshot.partition(), snapshot.forgotten());
            Map<QueryKey, OpenQuery> open = new HashMap<>();
            for (QuerySegment segment : snapshot.segments()) {
                segment.forEach((key, query) -> open.put(key, query.copy()));
            }
            open.forEach((key, query) -> join.restore(snapshot.partition(), key, query));
        }
        return join;
    }
}
