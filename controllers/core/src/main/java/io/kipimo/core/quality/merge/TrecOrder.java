package io.kipimo.core.quality.merge;

/**
 * The order of trec_eval: score descending, ties by document id descending; a rank column counts
 * for nothing. Numbers are compared as unsigned, texts as C's strcmp compares their UTF-8 bytes.
 */
public final class TrecOrder {
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
     * Ascending order of text ids. It is that of {@link String#compareTo}, but for characters
     * outside the basic plane, which UTF-8 puts last and UTF-16 does not.
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
