package io.kipimo.bench.steering;

import io.kipimo.bench.report.Context;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.index.Hits;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.index.QueryLanguage;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The example search service with a second stage, which each partition runs on its own best documents: late
 * interaction, as ColBERT does it, of words' subword vectors, added to the first score with weight 1, as
 * Elasticsearch's {@code rescore} does by default. The level is the number of documents that a partition scores again.
 */
final class EffortRerank implements EffortService {
    private static final int[] DEPTHS = {400, 200, 100, 70, 50, 30, 20, 10, 5};
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Cosine from which words are alike. */
    private static final float ALIKE = 0.5f;

    /** Groups by predicted cost. */
    static final int GROUPS = 10;

    @Override
    public String name() {
        return "example";
    }

    /** A query's answers at all levels. */
    private record LevelAnswers(double[] quality, double[] cpuMicros, double[] counted) {}

    @Override
    public EffortSamples measure(Context context, SteeringSettings settings, Corpus corpus, PartitionedIndex index) {
        context.say("%s: vectors of the words", name());
        LateInteraction second = new LateInteraction(corpus);
        List<String> queries = queries(index, settings.mixes().get(0).at(0), context.choose(40, 400, 2_000), settings);
        List<EffortSamples.QueryGroup> learned = new ArrayList<>();
        List<EffortSamples.QueryGroup> judged = new ArrayList<>();
        double[] counted = new double[DEPTHS.length];
        // Once unmeasured, for the compiler.
        queries.stream().limit(40).forEach(text -> ask(index, second, text, settings.topK(), 0));
        for (List<String> group : EffortBlocks.groups(queries, GROUPS)) {
            context.say("%s: group %d of %d", name(), learned.size() + 1, GROUPS);
            List<LevelAnswers> asked = new ArrayList<>();
            for (String text : group) {
                asked.add(ask(index, second, text, settings.topK(), asked.size()));
            }
            learned.add(group(asked, 0));
            judged.add(group(asked, 1));
            for (LevelAnswers one : asked) {
                for (int level = 0; level < counted.length; level++) {
                    counted[level] += one.counted[level] / queries.size();
                }
            }
        }
        return new EffortSamples(
                name(),
                Arrays.stream(DEPTHS).mapToObj(depth -> "depth " + depth).toList(),
                counted,
                learned,
                judged);
    }

    /** Queries by ascending predicted cost. */
    static List<String> queries(PartitionedIndex index, QueryMix.MixPhase phase, int count, SteeringSettings settings) {
        QueryWriter writer = new QueryWriter(index.vocabulary());
        SplittableRandom random = new SplittableRandom(settings.seed());
        return random.ints(count)
                .mapToObj(i -> writer.write(phase, random))
                .sorted(Comparator.comparingDouble(index.forecast()::cost))
                .toList();
    }

    private static EffortSamples.QueryGroup group(List<LevelAnswers> asked, int offset) {
        List<LevelAnswers> half = IntStream.iterate(offset, i -> i < asked.size(), i -> i + 2)
                .mapToObj(asked::get)
                .toList();
        return new EffortSamples.QueryGroup(
                half.stream().map(LevelAnswers::quality).toArray(double[][]::new),
                IntStream.range(0, DEPTHS.length)
                        .mapToDouble(level -> half.stream()
                                .mapToDouble(one -> one.cpuMicros[level])
                                .average()
                                .orElseThrow())
                        .toArray());
    }

    private static LevelAnswers ask(PartitionedIndex index, LateInteraction second, String text, int topK, int number) {
        Hits[] answers = new Hits[DEPTHS.length];
        double[] cpuMicros = new double[DEPTHS.length];
        double[] counted = new double[DEPTHS.length];
        try {
            for (int i = 0; i < DEPTHS.length; i++) {
                int level = (i + number) % DEPTHS.length;
                long startNanos = THREADS.getCurrentThreadCpuTime();
                LateInteraction.VectorQuery query = second.query(text);
                List<Hits> parts = new ArrayList<>();
                for (Partition partition : index.partitions()) {
                    Hits first = partition
                            .search(new QueryLanguage().parse(text), DEPTHS[level], Partition.Cut.NEVER)
                            .hits();
                    counted[level] += first.size();
                    parts.add(Hits.merge(List.of(second.score(query, first)), topK));
                }
                answers[level] = Hits.merge(parts, topK);
                cpuMicros[level] = (THREADS.getCurrentThreadCpuTime() - startNanos) / 1e3;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an index in memory failed", e);
        }
        List<String> full = ids(answers[0]);
        return new LevelAnswers(
                Arrays.stream(answers)
                        .mapToDouble(answer -> EffortSamples.share(full, ids(answer)))
                        .toArray(),
                cpuMicros,
                counted);
    }

    private static List<String> ids(Hits hits) {
        return Arrays.stream(hits.ids()).mapToObj(Long::toString).toList();
    }

    /** Scores of documents against queries, by the words' vectors. */
    private static final class LateInteraction {
        private final WordVectors words = new WordVectors();
        private final int[][] documents;

        LateInteraction(Corpus corpus) {
            documents = new int[corpus.documents().size()][];
            for (CorpusDocument document : corpus.documents()) {
                documents[(int) document.id()] = words.add(document.title() + " " + document.text());
            }
        }

        /** The vectors of a query's words, and their weights. */
        record VectorQuery(float[][] vectors, double[] weights) {}

        VectorQuery query(String text) {
            String[] tokens = WordVectors.tokens(text);
            return new VectorQuery(
                    Arrays.stream(tokens).map(words::vector).toArray(float[][]::new),
                    Arrays.stream(tokens).mapToDouble(words::weight).toArray());
        }

        Hits score(VectorQuery query, Hits first) {
            float[] scores = new float[first.size()];
            for (int i = 0; i < scores.length; i++) {
                int[] document = documents[(int) first.ids()[i]];
                double score = first.scores()[i];
                for (int q = 0; q < query.vectors.length; q++) {
                    float best = 0;
                    for (int word : document) {
                        best = Math.max(best, WordVectors.dot(query.vectors[q], words.of(word)));
                    }
                    // Less is chance, of which long documents have more.
                    score += best < ALIKE ? 0 : query.weights[q] * best;
                }
                scores[i] = (float) score;
            }
            return new Hits(first.ids(), scores);
        }
    }
}
