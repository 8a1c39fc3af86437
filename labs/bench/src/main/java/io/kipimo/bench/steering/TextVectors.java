package io.kipimo.bench.steering;

import io.kipimo.examples.search.corpus.CorpusDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/**
 * Embeddings of texts: latent semantic analysis of real documents by subspace iteration (Halko, Martinsson, Tropp,
 * "Finding Structure with Randomness", 2011). Their clusters are the corpus'.
 */
final class TextVectors {
    private static final int DIMENSIONS = 256;
    private static final int ITERATIONS = 3;

    private final WordVectors words = new WordVectors();

    /** For each word a row of an orthonormal basis. */
    private double[][] basis;

    /**
     * Texts' embeddings.
     *
     * @param vector of length 1; zero: no word is known
     * @param represented length before, as a share of the text's, 0..1
     */
    record Embedding(float[] vector, double represented) {}

    TextVectors(List<CorpusDocument> documents, long seed) {
        List<int[]> texts = new ArrayList<>();
        for (CorpusDocument document : documents) {
            texts.add(words.add(document.title() + " " + document.text()));
        }
        SplittableRandom random = new SplittableRandom(seed);
        basis = new double[words.size()][];
        Arrays.setAll(
                basis,
                word -> random.doubles(DIMENSIONS).map(uniform -> uniform - 0.5).toArray());
        for (int i = 0; i < ITERATIONS; i++) {
            double[][] next = new double[words.size()][DIMENSIONS];
            for (int[] text : texts) {
                double[] weights = weights(text);
                double[] projection = project(text, weights);
                for (int w = 0; w < text.length; w++) {
                    add(next[text[w]], projection, weights[w]);
                }
            }
            basis = orthonormal(next);
        }
    }

    Embedding of(String text) {
        int[] known = Arrays.stream(WordVectors.tokens(text))
                .distinct()
                .mapToInt(words::number)
                .filter(word -> word >= 0)
                .toArray();
        double[] projection = project(known, weights(known));
        float[] vector = new float[DIMENSIONS];
        double square = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            vector[d] = (float) projection[d];
            square += projection[d] * projection[d];
        }
        return new Embedding(WordVectors.normal(vector), Math.sqrt(square));
    }

    /** Together of length 1. */
    private double[] weights(int[] text) {
        double[] weights = Arrays.stream(text).mapToDouble(words::weight).toArray();
        double length = Math.sqrt(Arrays.stream(weights).map(w -> w * w).sum());
        return Arrays.stream(weights).map(w -> w / length).toArray();
    }

    private double[] project(int[] text, double[] weights) {
        double[] projection = new double[DIMENSIONS];
        for (int w = 0; w < text.length; w++) {
            add(projection, basis[text[w]], weights[w]);
        }
        return projection;
    }

    private static void add(double[] sum, double[] vector, double weight) {
        for (int d = 0; d < sum.length; d++) {
            sum[d] += weight * vector[d];
        }
    }

    /** Columns of the same span, orthonormal: QR by Cholesky. */
    private static double[][] orthonormal(double[][] rows) {
        double[][] gram = new double[DIMENSIONS][DIMENSIONS];
        for (double[] row : rows) {
            for (int i = 0; i < DIMENSIONS; i++) {
                add(gram[i], row, row[i]);
            }
        }
        double[][] upper = new CholeskyDecomposition(new Array2DRowRealMatrix(gram), 1e-6, 0)
                .getLT()
                .getData();
        for (double[] row : rows) {
            for (int i = 0; i < DIMENSIONS; i++) {
                for (int j = 0; j < i; j++) {
                    row[i] -= row[j] * upper[j][i];
                }
                row[i] /= upper[i][i];
            }
        }
        return rows;
    }
}
