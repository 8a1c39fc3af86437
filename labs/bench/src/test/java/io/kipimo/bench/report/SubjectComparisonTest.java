package io.kipimo.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SubjectComparisonTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> order = new ArrayList<>();

    private SubjectComparison<String, Integer> ofTwo() {
        Context context = new Context(
                Context.BenchmarkEffort.TINY,
                2,
                Context.StateBackend.HASHMAP,
                new PrintStream(out, true, StandardCharsets.UTF_8));
        return new SubjectComparison<String, Integer>(context)
                .add("a", round -> work("a", round))
                .add("b", round -> work("b", round));
    }

    private int work(String subject, int round) {
        order.add(subject + round);
        return round;
    }

    @Test
    void subjectsAlternateAndWarmUpsDoNotCount() throws Exception {
        Map<String, Repetitions<Integer>> results = ofTwo().warmUps(1).run();
        assertThat(order).containsExactly("a-1", "b-1", "a0", "b0", "a1", "b1");
        assertThat(results.keySet()).containsExactly("a", "b");
        assertThat(results.get("b").all()).containsExactly(0, 1);
        assertThat(out.toString(StandardCharsets.UTF_8).lines().map(String::strip))
                .containsExactly("warm-up", "repetition 1 of 2", "repetition 2 of 2");
    }

    @Test
    void eachSubjectCanWarmUpOnItsOwn() throws Exception {
        var unused = ofTwo().warmUps(2).warmUpSeparately().run();
        assertThat(order).containsExactly("a-2", "a-1", "b-2", "b-1", "a0", "b0", "a1", "b1");
    }

    @Test
    void warmUpGoesOnUntilThreeRoundsAgreeAndAreNotBetterThanThoseBefore() throws Exception {
        assertThat(warmUps(100, 101, 99, 100)).isEqualTo(6);
        assertThat(warmUps(50, 60, 80, 82, 84, 83, 84, 83)).isEqualTo(8);
        assertThat(warmUps(100, 120, 100, 120, 100, 120, 100, 120, 100, 120, 100, 120))
                .as("as many as allowed")
                .isEqualTo(12);
    }

    /** Number of warm-up rounds with these figures, the last one for all further rounds. */
    private int warmUps(int... figures) throws Exception {
        order.clear();
        int[] rounds = {0};
        var unused = ofTwo().warmUps(4)
                .warmUpSeparately()
                .warmUpUntilSteady(n -> figures[Math.min(rounds[0]++, figures.length - 1)])
                .run();
        return (int) order.stream().filter(run -> run.startsWith("a-")).count();
    }

    @Test
    void progressCanTellEachRun() throws Exception {
        var unused = ofTwo().warmUps(0)
                .progress((subject, n) -> subject + " took " + n)
                .run();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).endsWith("a took 0"));
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        Repetitions<Integer> runs = new Repetitions<>();
        List.of(4, 1, 3, 10).forEach(runs::add);
        assertThat(runs.median(n -> n)).isEqualTo(3.5);
        assertThat(runs.best(n -> n)).isEqualTo(10);
        assertThat(runs.sum(n -> n)).isEqualTo(18);
        assertThat(runs.last()).isEqualTo(10);
    }
}
