package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.bench.report.Context;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EffortBlocksTest {
    private static final List<String> FULL =
            IntStream.range(0, 10).mapToObj(Integer::toString).toList();

    /** Finds as much as the level tells, and needs as much time; the first round costs tenfold. */
    private static final class Engine implements EffortBlocks.BlockEngine<Integer> {
        private static final int[] FOUND = {10, 8, 5};

        private final int queries;
        private long asked;
        private long cpuNanos;

        Engine(int queries) {
            this.queries = queries;
        }

        @Override
        public EffortBlocks.CountedAnswer ask(Integer query, int level) {
            boolean cold = asked++ < (long) queries * FOUND.length;
            cpuNanos += (cold ? 10 : 1) * 1_000L * FOUND[level] * query;
            return new EffortBlocks.CountedAnswer(FULL.subList(0, FOUND[level]), FOUND[level]);
        }

        @Override
        public long cpuNanos() {
            return cpuNanos;
        }
    }

    @Test
    void qualityAndTimeAreOfTheLevelAndTheGroup() throws Exception {
        Context context = new Context(Context.BenchmarkEffort.TINY, 1, Context.StateBackend.HASHMAP, System.err);
        EffortSamples samples = new EffortBlocks<>(new Engine(8), 3)
                .measure("s", List.of("a", "b", "c"), List.of(List.of(1, 1, 1, 1), List.of(1, 3, 1, 3)), 3, context);
        assertThat(samples.counted()).containsExactly(10, 8, 5);
        assertThat(samples.learned()).hasSize(2);
        assertThat(samples.learned().get(0).quality()).isDeepEqualTo(new double[][] {row(), row()});
        assertThat(samples.learned().get(1).cpuMicros()).containsExactly(10, 8, 5);
        assertThat(samples.judged().get(1).cpuMicros()).containsExactly(30, 24, 15);
    }

    private static double[] row() {
        return new double[] {1, 0.8, 0.5};
    }

    @Test
    void groupsAreEqualAndNoneIsTooSmallToBeHalved() {
        assertThat(EffortBlocks.groups(List.of(1, 2, 3, 4, 5, 6), 3))
                .containsExactly(List.of(1, 2), List.of(3, 4), List.of(5, 6));
        assertThat(EffortBlocks.groups(List.of(1, 2, 3), 3)).isEmpty();
    }
}
