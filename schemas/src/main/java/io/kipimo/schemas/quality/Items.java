package io.kipimo.schemas.quality;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ranked result items: identifiers, either all numbers or all texts, and one score each. {@code scores} define the
 * ranking. The order of the items has no meaning; {@link #inOrder} turns an order into scores. The record owns the
 * arrays; callers must not change them.
 *
 * @param numbers numeric identifiers, compared as unsigned numbers; empty when {@code texts} is used
 * @param texts text identifiers; empty when {@code numbers} is used
 * @param scores finite scores, one per identifier; higher is better
 */
public record Items(long[] numbers, String[] texts, float[] scores) implements ScoredIds {
    private static final long[] NO_NUMBERS = {};
    private static final String[] NO_TEXTS = {};

    /** Empty items. */
    public static final Items NONE = new Items(NO_NUMBERS, NO_TEXTS, new float[0]);

    /** @throws IllegalArgumentException if there are identifiers of both kinds, or the number of scores differs */
    public Items {
        if (numbers.length > 0 && texts.length > 0) {
            throw new IllegalArgumentException("items have numbers and texts; allowed: one kind");
        }
        if (scores.length != numbers.length + texts.length) {
            throw new IllegalArgumentException(
                    "items have " + scores.length + " scores for " + (numbers.length + texts.length) + " identifiers");
        }
    }

    public static Items ofNumbers(long[] numbers, float[] scores) {
        return new Items(numbers, NO_TEXTS, scores);
    }

    public static Items ofTexts(String[] texts, float[] scores) {
        return new Items(NO_NUMBERS, texts, scores);
    }

    @Override
    public int size() {
        return scores.length;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IndexOutOfBoundsException if the identifiers are texts
     */
    @Override
    public long id(int place) {
        return numbers[place];
    }

    @Override
    public float score(int place) {
        return scores[place];
    }

    public boolean isEmpty() {
        return scores.length == 0;
    }

    public boolean isTexts() {
        return texts.length > 0;
    }

    /**
     * Returns these items with scores that all differ, for a list whose order has a meaning. Of equal scores, each
     * becomes one float step lower than the one before. Readers break ties by identifier, so equal scores would give
     * them other items than the list shows.
     *
     * @throws IllegalArgumentException if an identifier is empty or a score is not finite
     */
    public Items inOrder() {
        for (int i = 0; i < scores.length; i++) {
            if (i < texts.length && texts[i].isEmpty()) {
                throw new IllegalArgumentException("the identifier of item " + i + " is empty");
            }
            if (!Float.isFinite(scores[i])) {
                throw new IllegalArgumentException("the score of item " + i + " is " + scores[i] + "; allowed: finite");
            }
        }
        List<Integer> best = IntStream.range(0, scores.length)
                .boxed()
                // Both zeros are one score. The sort is stable.
                .sorted(Comparator.comparingDouble(i -> -scores[i] + 0.0))
                .toList();
        float[] falling = new float[scores.length];
        float last = Float.POSITIVE_INFINITY;
        for (int item : best) {
            last = Math.min(scores[item], Math.nextDown(last));
            falling[item] = last;
        }
        if (Float.isInfinite(last) && !best.isEmpty()) {
            float[] places = byPlace(best.size());
            IntStream.range(0, places.length).forEach(i -> falling[best.get(i)] = places[i]);
        }
        return new Items(numbers, texts, falling);
    }

    /** Scores for a list without scores: 1 / (1 + place), with places from 0. */
    public static float[] byPlace(int size) {
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = 1f / (i + 1);
        }
        return scores;
    }
}
