package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunScorerTest {
    private static final double TOLERANCE = 1e-9;

    /** 1,500 random runs with ties, scored by trec_eval itself; see trec_eval_golden.py. */
    @Test
    void scoresEqualTrecEvals() throws IOException {
        List<String> lines = goldenLines();
        assertThat(lines).hasSize(1500);
        for (String line : lines) {
            String[] fields = line.split("\t");
            String k = fields[0];
            Map<String, Double> scores =
                    scores(run(fields[1]), run(fields[2]), Stream.of("tpr@" + k, "ndcg@" + k, "ap@" + k));
            String[] names = {"tpr@" + k, "ndcg@" + k, "ap@" + k};
            for (int i = 0; i < names.length; i++) {
                assertThat(scores.get(names[i]))
                        .as("%s of %s", names[i], line)
                        .isCloseTo(Double.parseDouble(fields[3 + i]), within(TOLERANCE));
            }
        }
    }

    @Test
    void scoresEqualANaiveTrecEvals() {
        Random random = new Random(7);
        for (int round = 0; round < 5000; round++) {
            int k = 1 + random.nextInt(25);
            List<ScoredDocument> online = randomRun(random, 0);
            List<ScoredDocument> mature = randomRun(random, 1);
            Map<String, Integer> judgements = NaiveTrecEval.judgements(mature, k);
            Map<String, Double> scores = scores(online, mature, Stream.of("tpr@" + k, "ndcg@" + k, "ap@" + k));
            assertThat(scores.get("tpr@" + k))
                    .isCloseTo(NaiveTrecEval.recall(online, judgements, k), within(TOLERANCE));
            assertThat(scores.get("ndcg@" + k)).isCloseTo(NaiveTrecEval.ndcg(online, judgements, k), within(TOLERANCE));
            assertThat(scores.get("ap@" + k))
                    .isCloseTo(NaiveTrecEval.averagePrecision(online, judgements, k), within(TOLERANCE));
        }
    }

    @Test
    void queriesOfTheMatureRunCountAndOthersAreReported() {
        RunScores scores = RunScorer.score(
                Map.of("answered", run("a:1"), "unknown", run("a:1")),
                Map.of("answered", run("a:1 b:2"), "unanswered", run("a:1")),
                List.of(Similarities.parse("tpr@5")));
        assertThat(scores.queries())
                .isEqualTo(Map.of(
                        "answered", Map.of("tpr@5", 0.5),
                        "unanswered", Map.of("tpr@5", 0.0)));
        assertThat(scores.mean()).isEqualTo(Map.of("tpr@5", 0.25));
        assertThat(scores.missingOnline()).containsExactly("unanswered");
        assertThat(scores.ignored()).containsExactly("unknown");
    }

    @Test
    void aQueryWithoutMatureDocumentsIsOne() {
        RunScores scores =
                RunScorer.score(Map.of("q", run("a:1")), Map.of("q", List.of()), List.of(Similarities.parse("ndcg@5")));
        assertThat(scores.mean()).isEqualTo(Map.of("ndcg@5", 1.0));
    }

    @Test
    void noQueriesHaveNoMean() {
        RunScores scores = RunScorer.score(Map.of(), Map.of(), List.of(Similarities.parse("ndcg@5")));
        assertThat(scores.mean()).isEmpty();
    }

    @Test
    void aDocumentThatIsThereTwiceCountsOnceWithItsBestScore() {
        Map<String, Double> scores = scores(run("a:1 b:2 a:3 a:0"), run("a:9 b:8"), Stream.of("ndcg@2", "precision@2"));
        assertThat(scores).isEqualTo(Map.of("ndcg@2", 1.0, "precision@2", 1.0));
    }

    @Test
    void scoresThatDifferOnlyAsDoublesAreTies() {
        // Both are equal as floats, so b comes first.
        Map<String, Double> scores = scores(run("a:1.00000000001 b:1.0"), run("b:2 a:1"), Stream.of("tpr@1"));
        assertThat(scores).isEqualTo(Map.of("tpr@1", 1.0));
    }

    @Test
    void scoresThatAreNotFiniteAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScoredDocument.of("d7", 1e39))
                .withMessageContaining("d7")
                .withMessageContaining("Infinity");
    }

    private static Map<String, Double> scores(
            List<ScoredDocument> online, List<ScoredDocument> mature, Stream<String> names) {
        List<Similarity> similarities = names.map(Similarities::parse).toList();
        return RunScorer.score(Map.of("q", online), Map.of("q", mature), similarities)
                .queries()
                .get("q");
    }

    private static List<ScoredDocument> randomRun(Random random, int leastSize) {
        List<String> pool = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pool.add("d" + i);
        }
        Collections.shuffle(pool, random);
        int differentScores = 1 + random.nextInt(30);
        return pool.subList(0, leastSize + random.nextInt(pool.size())).stream()
                .map(d -> ScoredDocument.of(d, random.nextInt(differentScores) - 5))
                .toList();
    }

    private static List<ScoredDocument> run(String text) {
        return Arrays.stream(text.split(" "))
                .map(item -> item.split(":"))
                .map(item -> ScoredDocument.of(item[0], Double.parseDouble(item[1])))
                .toList();
    }

    private static List<String> goldenLines() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                RunScorerTest.class.getResourceAsStream("trec_eval_golden.tsv"), StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        }
    }
}
