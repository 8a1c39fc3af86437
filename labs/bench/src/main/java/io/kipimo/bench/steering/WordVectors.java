package io.kipimo.bench.steering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Vectors of words by their trigrams, each with a random direction of its own, as in fastText before training; words
 * that share parts are near.
 */
final class WordVectors {
    private static final int DIMENSIONS = 64;

    private static final Pattern NO_LETTERS = Pattern.compile("[^\\p{L}]+");
    private static final int PART = 3;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<float[]> vectors = new ArrayList<>();
    private final List<Integer> documentsWith = new ArrayList<>();
    private int documents;

    /** Reads a document: the numbers of its distinct words. */
    int[] add(String text) {
        documents++;
        int[] words = Arrays.stream(tokens(text))
                .distinct()
                .mapToInt(word -> {
                    Integer number = numbers.get(word);
                    if (number == null) {
                        number = numbers.size();
                        numbers.put(word, number);
                        vectors.add(ofParts(word));
                        documentsWith.add(0);
                    }
                    return number;
                })
                .toArray();
        for (int word : words) {
            documentsWith.set(word, documentsWith.get(word) + 1);
        }
        return words;
    }

    /** A word's number; -1: no document has it. */
    int number(String word) {
        return numbers.getOrDefault(word, -1);
    }

    /** Number of distinct words. */
    int size() {
        return vectors.size();
    }

    float[] of(int word) {
        return vectors.get(word);
    }

    float[] vector(String word) {
        int number = number(word);
        return number < 0 ? ofParts(word) : of(number);
    }

    /** Logarithm of the inverse document frequency. */
    double weight(String word) {
        int number = number(word);
        return Math.log1p((double) documents / (number < 0 ? 1 : Math.max(1, documentsWith.get(number))));
    }

    double weight(int word) {
        return Math.log1p((double) documents / documentsWith.get(word));
    }

    static String[] tokens(String text) {
        return Arrays.stream(NO_LETTERS.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
    }

    private static float[] ofParts(String word) {
        float[] sum = new float[DIMENSIONS];
        String padded = "<" + word + ">";
        for (int i = 0; i + PART <= padded.length(); i++) {
            SplittableRandom direction =
                    new SplittableRandom(padded.substring(i, i + PART).hashCode());
            for (int d = 0; d < DIMENSIONS; d++) {
                sum[d] += (float) (direction.nextDouble() - 0.5);
            }
        }
        return normal(sum);
    }

    /** The same direction of length 1; the zero vector stays. */
    static float[] normal(float[] vector) {
        double length = Math.sqrt(dot(vector, vector));
        float[] normal = vector.clone();
        for (int d = 0; length > 0 && d < normal.length; d++) {
            normal[d] /= (float) length;
        }
        return normal;
    }

    static float dot(float[] a, float[] b) {
        float sum = 0;
        for (int d = 0; d < a.length; d++) {
            sum += a[d] * b[d];
        }
        return sum;
    }
}
