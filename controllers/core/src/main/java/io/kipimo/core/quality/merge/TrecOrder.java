package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.ScoredIds;
import java.util.stream.IntStream;

/**
 * The order of trec_eval: score descending, ties by document id descending; a rank column is ignored. Numbers are
 * compared as unsigned, texts as C's strcmp compares their UTF-8 bytes.
 */
final class TrecOrder {
    private TrecOrder() {}

    /** Negative if the first item is the better one; 0 for the same item and score. */
    public static int compare(double firstScore, long firstId, double secondScore, long secondId) {
        if (firstScore > secondScore) {
            return -1;
        }
        if (firstScore < secondScore) {
            return 1;
        }
        return Long.compareUnsigned(secondId, firstId);
    }

    /**
     * The items, best first; the same object if they are already ranked.
     *
     * @throws IllegalArgumentException if the identifiers are texts
     */
    public static ScoredIds ranked(ScoredIds items) {
        if (items instanceof Items all && all.isTexts()) {
            throw new IllegalArgumentException(
                    "items to merge have texts; allowed: numbers, of the query's ItemDictionary");
        }
        return isRanked(items) ? items : sorted(items);
    }

    private static boolean isRanked(ScoredIds items) {
        for (int i = 1; i < items.size(); i++) {
            // Few scores are equal, so few ids are needed.
            float before = items.score(i - 1);
            float score = items.score(i);
            if (before < score || (before == score && compare(before, items.id(i - 1), score, items.id(i)) > 0)) {
                return false;
            }
        }
        return true;
    }

    private static Items sorted(ScoredIds items) {
        int[] order = IntStream.range(0, items.size())
                .boxed()
                .sorted((a, b) -> compare(items.score(a), items.id(a), items.score(b), items.id(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] rankedIds = new long[order.length];
        float[] rankedScores = new float[order.length];
        for (int rank = 0; rank < order.length; rank++) {
            rankedIds[rank] = items.id(order[rank]);
            rankedScores[rank] = items.score(order[rank]);
        }
        return Items.ofNumbers(rankedIds, rankedScores);
    }

    /**
     * Ascending order of text ids. It equals {@link String#compareTo}, except for characters outside the basic plane,
     * which come last in UTF-8 but not in UTF-16.
     */
    public static int compareTexts(String first, String second) {
        int common = Math.min(first.length(), second.length());
        for (int i = 0; i < common; i++) {
            char a = first.charAt(i);
            char b = second.charAt(i);
            if (a != b) {
                return Character.compare(surrogatesLast(a), surrogatesLast(b));
            }
        }
        return Integer.compare(first.length(), second.length());
    }

    /** Moves the surrogates behind the private and compatibility characters U+E000..U+FFFF. */
    private static char surrogatesLast(char c) {
        if (c < Character.MIN_SURROGATE) {
            return c;
        }
        return (char) (Character.isSurrogate(c) ? c + 0x2000 : c - 0x800);
    }
}
