package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Low ends of the measurements of a log that is read several times, at any parallelism. */
class ExpiredBoundsPropertyTest {
    private static final int QUERIES = 3_000;
    private static final int MAX_PARALLELISM = 16;
    private static final long START = 1_700_000_000_000L;
    private static final long WINDOW_MILLIS = 10_000;

    private final List<BoundsHarness> subtasks = new ArrayList<>();

    private static LongStream logs() {
        return new Random(53).longs(Effort.of(2, 40));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void aRowIsTheSameAtEveryParallelismAndWhenItIsComputedAgain(long seed) throws Exception {
        HashPartitions partitions = new HashPartitions(1 + new Random(seed).nextInt(6));
        List<List<Measurement>> log = log(seed, partitions);
        Map<String, Set<Measurement>> rows = new HashMap<>();
        for (int reading = 0; reading < 3; reading++) {
            read(log, partitions, new Random(seed + reading), rows);
        }
        assertThat(rows).hasSize(QUERIES).allSatisfy((query, own) -> assertThat(own)
                .hasSize(1));
        assertThat(rows.values())
                .flatExtracting(own -> own)
                .filteredOn(row -> row.completeness() == Completeness.EXPIRED)
                .extracting(row -> row.scores().get(0).low())
                .filteredOn(low -> low > 0)
                .as("with a history")
                .hasSizeGreaterThan(100);
    }

    /** What each partition has, in its order. */
    private static List<List<Measurement>> log(long seed, HashPartitions partitions) {
        Random random = new Random(seed);
        List<List<Measurement>> log = new ArrayList<>();
        IntStream.range(0, partitions.count()).forEach(partition -> log.add(new ArrayList<>()));
        for (int query = 0; query < QUERIES; query++) {
            Measurement row = measurement("q" + query, START + query * 200L, random);
            log.get(partitions.partitionOf(new QueryKey(row.service(), row.queryId())))
                    .add(row);
        }
        return log;
    }

    private static Measurement measurement(String id, long startMillis, Random random) {
        boolean isComplete = random.nextInt(4) > 0;
        double contribution = random.nextInt(8) / 20.0;
        return Measurement.builder()
                .service(random.nextInt(5) == 0 ? "second" : "shop")
                .queryId(id)
                .queryClass("high")
                .startedAtMillis(startMillis)
                .measuredAtMillis(startMillis + (isComplete ? random.nextInt((int) WINDOW_MILLIS) : WINDOW_MILLIS))
                .completeness(isComplete ? Completeness.COMPLETE : Completeness.EXPIRED)
                .degraded(true)
                .topK(20)
                .scores(List.of(new Score("tpr@20", isComplete ? 1 - contribution : 0, 1 - contribution)))
                .components(List.of(
                        new ComponentShare("a", Outcome.IN_TIME, 5, false, 0, 1 - contribution),
                        new ComponentShare("b", Outcome.TIMED_OUT, 5, !isComplete, 0, contribution)))
                .build();
    }

    /** Partitions are read at speeds of their own, and the job is killed at times. */
    private void read(
            List<List<Measurement>> log, HashPartitions partitions, Random random, Map<String, Set<Measurement>> rows)
            throws Exception {
        int[] positions = new int[log.size()];
        start(partitions, random, List.of());
        int[] stored = positions.clone();
        List<OperatorSubtaskState> snapshot = List.of();
        while (IntStream.range(0, positions.length)
                .anyMatch(p -> positions[p] < log.get(p).size())) {
            int partition = random.nextInt(positions.length);
            BoundsHarness owner = subtasks.get(partitions.owner(partition, subtasks.size(), MAX_PARALLELISM));
            int until = Math.min(log.get(partition).size(), positions[partition] + random.nextInt(40));
            for (; positions[partition] < until; positions[partition]++) {
                Measurement row = log.get(partition).get(positions[partition]);
                owner.processElement(row, row.measuredAtMillis() - 2 * WINDOW_MILLIS);
            }
            for (Measurement row : owner.extractOutputValues()) {
                rows.computeIfAbsent(row.queryId(), query -> new HashSet<>()).add(row);
            }
            owner.getOutput().clear();
            if (random.nextInt(20) == 0) {
                snapshot = JoinHarness.snapshot(subtasks);
                stored = positions.clone();
            }
            if (random.nextInt(60) == 0) {
                close();
                start(partitions, random, snapshot);
                System.arraycopy(stored, 0, positions, 0, stored.length);
            }
        }
        close();
    }

    private void start(HashPartitions partitions, Random random, List<OperatorSubtaskState> snapshot) throws Exception {
        int parallelism = 1 + random.nextInt(partitions.count());
        for (int subtask = 0; subtask < parallelism; subtask++) {
            BoundsHarness harness = new BoundsHarness(partitions, MAX_PARALLELISM, parallelism, subtask);
            JoinHarness.open(harness, snapshot, MAX_PARALLELISM, parallelism, subtask);
            subtasks.add(harness);
        }
    }

    private void close() throws Exception {
        for (BoundsHarness subtask : subtasks) {
            subtask.close();
        }
        subtasks.clear();
    }
}
