package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One query's measurement: both merges and one similarity, compared with boxed maps and streams. Four parts of
 * {@code topK} items, one of them late.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class MergesBenchmark {
    private static final int PARTS = 4;

    @Param({"20", "200"})
    public int topK;

    private final Merge merge = Merges.of(MergePolicy.TOP_K);
    private List<Part> online;
    private List<Part> mature;
    private Similarity truePositiveRate;
    private Similarity ndcg;

    @Setup
    public void seededParts() {
        Random random = new Random(9);
        mature = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            long[] ids = random.longs(topK, 0, 1_000_000_000L).toArray();
            float[] scores = new float[topK];
            for (int i = 0; i < topK; i++) {
                scores[i] = random.nextFloat();
            }
            mature.add(new Part("p" + part, Items.ofNumbers(ids, scores)));
        }
        online = mature.subList(0, PARTS - 1);
        truePositiveRate = Similarities.parse("tpr@" + topK);
        ndcg = Similarities.parse("ndcg@" + topK);
    }

    @Benchmark
    public double mergeAndTruePositiveRate() {
        return truePositiveRate.of(merge.merge(online, topK), merge.merge(mature, topK));
    }

    @Benchmark
    public double mergeAndNdcg() {
        return ndcg.of(merge.merge(online, topK), merge.merge(mature, topK));
    }

    @Benchmark
    public Ranking mergeOnly() {
        return merge.merge(mature, topK);
    }

    /** The peer. */
    @Benchmark
    public double boxedMergeAndTruePositiveRate() {
        List<Long> matureIds = boxedMerge(mature);
        Set<Long> onlineIds = new HashSet<>(boxedMerge(online));
        return (double) matureIds.stream().filter(onlineIds::contains).count() / matureIds.size();
    }

    private List<Long> boxedMerge(List<Part> parts) {
        Map<Long, Float> best = new HashMap<>();
        for (Part part : parts) {
            for (int i = 0; i < part.items().size(); i++) {
                best.merge(part.items().id(i), part.items().score(i), Math::max);
            }
        }
        return best.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(topK)
                .map(Map.Entry::getKey)
                .toList();
    }
}
