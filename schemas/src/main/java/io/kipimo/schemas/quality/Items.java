package io.kipimo.schemas.quality;

/**
 * Ranked result items: identifiers, either all numbers or all texts, and one score each. {@code
 * scores} define the ranking; the order has no meaning. The record owns the arrays; callers must
 * not change them.
 *
 * @param numbers numeric identifiers, compared as unsigned numbers; empty when {@code texts} is
 *     used
 * @param texts text identifiers; empty when {@code numbers} is used
 * @param scores finite scores, one per identifier; higher is better
 */
public record Items(long[] numbers, String[] texts, float[] scores) implements ScoredIds {
    private static final long[] NO_NUMBERS = {};
    private static final String[] NO_TEXTS = {};

    /** Empty items. */
    public static final Items NONE = new Items(NO_NUMBERS, NO_TEXTS, new float[0]);

    /**
     * @throws IllegalArgumentException if there are identifiers of both kinds, or the number of
     *     scores differs
     */
    public Items {
        if (numbers.length > 0 && texts.length > 0) {
            throw new IllegalArgumentException("items have numbers and texts; allowed: one kind");
        }
        if (scores.length != numbers.length + texts.length) {
            throw new IllegalArgumentException(
                    "items have "
                            + scores.length
                            + " scores for "
                            + (numbers.length + texts.length)
                            + " identifiers");
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
}
