package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Puts documents with similar words into clusters, as in selective search: spherical k-means (Dhillon and Modha 2001)
 * on hashed words, with seeds by k-means++. A cluster holds at most one and a half times its equal share. Documents
 * that no longer fit go to the next most similar cluster.
 */
final class TopicClusters {
    private static final int DIMENSIONS = 1 << 14;
    private static final int SAMPLE = 20_000;
    private static final int ITERATIONS = 8;
    private static final double MOST = 1.5;
    private static final long SEED = 5;

    /** Unit vector of a document's words; only its non-zero elements are stored. */
    private record Words(int[] ids, float[] weights) {
        double cosine(float[] centre) {
            double sum = 0;
            for (int i = 0; i < ids.length; i++) {
                sum += weights[i] * centre[ids[i]];
            }
            return sum;
        }
    }

    private TopicClusters() {}

    /** The cluster of each document, in the corpus's order. Equal corpora give equal clusters. */
    static int[] of(Corpus corpus, int clusters) {
        List<int[]> tokens =
                corpus.documents().parallelStream().map(TopicClusters::tokens).toList();
        int[] documentsWith = new int[DIMENSIONS];
        for (int[] document : tokens) {
            for (int i = 0; i < document.length; i++) {
                if (i == 0 || document[i] != document[i - 1]) {
                    documentsWith[document[i]]++;
                }
            }
        }
        List<Words> documents = tokens.parallelStream()
                .map(t -> words(t, documentsWith, tokens.size()))
                .toList();
        SplittableRandom random = new SplittableRandom(SEED);
        List<Words> sample = random.ints(SAMPLE, 0, documents.size())
                .mapToObj(documents::get)
                .toList();
        return assign(documents, centres(sample, clusters, random), random);
    }

    /** Hashes of the document's words, in ascending order. */
    private static int[] tokens(CorpusDocument document) {
        String text = document.title() + " " + document.text();
        return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}]+"))
                .filter(word -> word.length() >= 2)
                .mapToInt(word -> (word.hashCode() * 0x9E3779B9) >>> 18)
                .sorted()
                .toArray();
    }

    private static Words words(int[] tokens, int[] documentsWith, int documents) {
        int[] ids = Arrays.stream(tokens).distinct().toArray();
        float[] weights = new float[ids.length];
        int token = 0;
        double squares = 0;
        for (int i = 0; i < ids.length; i++) {
            int count = 0;
            for (; token < tokens.length && tokens[token] == ids[i]; token++) {
                count++;
            }
            double weight = (1 + Math.log(count)) * Math.log((double) documents / documentsWith[ids[i]]);
            weights[i] = (float) weight;
            squares += weight * weight;
        }
        float length = (float) Math.sqrt(squares);
        for (int i = 0; i < weights.length && length > 0; i++) {
            weights[i] /= length;
        }
        return new Words(ids, weights);
    }

    private static float[][] centres(List<Words> sample, int clusters, SplittableRandom random) {
        float[][] centres = new float[clusters][];
        double[] distance = new double[sample.size()];
        Arrays.fill(distance, 1);
        for (int c = 0; c < clusters; c++) {
            double at = random.nextDouble() * Arrays.stream(distance).sum();
            int next = 0;
            while (next < distance.length - 1 && at >= distance[next]) {
                at -= distance[next++];
            }
            centres[c] = mean(List.of(sample.get(next)));
            for (int i = 0; i < distance.length; i++) {
                distance[i] =
                        Math.min(distance[i], Math.max(0, 1 - sample.get(i).cosine(centres[c])));
            }
        }
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            int[] nearest =
                    sample.parallelStream().mapToInt(d -> ranked(d, centres)[0]).toArray();
            for (int c = 0; c < clusters; c++) {
                int cluster = c;
                List<Words> own = IntStream.range(0, nearest.length)
                        .filter(i -> nearest[i] == cluster)
                        .mapToObj(sample::get)
                        .toList();
                centres[c] = own.isEmpty() ? centres[c] : mean(own);
            }
        }
        return centres;
    }

    private static float[] mean(List<Words> documents) {
        float[] mean = new float[DIMENSIONS];
        for (Words document : documents) {
            for (int i = 0; i < document.ids.length; i++) {
                mean[document.ids[i]] += document.weights[i];
            }
        }
        double squares = 0;
        for (float value : mean) {
            squares += value * value;
        }
        for (int i = 0; i < mean.length && squares > 0; i++) {
            mean[i] /= (float) Math.sqrt(squares);
        }
        return mean;
    }

    /** Numbers of the clusters, the most similar one first. */
    private static int[] ranked(Words document, float[][] centres) {
        double[] cosines = Arrays.stream(centres).mapToDouble(document::cosine).toArray();
        return IntStream.range(0, centres.length)
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -cosines[c]))
                .mapToInt(c -> c)
                .toArray();
    }

    private static int[] assign(List<Words> documents, float[][] centres, SplittableRandom random) {
        List<int[]> ranked =
                documents.parallelStream().map(d -> ranked(d, centres)).toList();
        int most = (int) Math.ceil(MOST * documents.size() / centres.length);
        int[] sizes = new int[centres.length];
        int[] clusters = new int[documents.size()];
        for (int document : shuffled(documents.size(), random)) {
            int cluster = Arrays.stream(ranked.get(document))
                    .filter(c -> sizes[c] < most)
                    .findFirst()
                    .orElseThrow();
            sizes[cluster]++;
            clusters[document] = cluster;
        }
        return clusters;
    }

    private static int[] shuffled(int size, SplittableRandom random) {
        int[] order = IntStream.range(0, size).toArray();
        for (int i = size - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return order;
    }
}
