package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds characters that differ only in case, by Unicode's simple case folding, as in PCRE: k has three forms (one is
 * the Kelvin sign), and the Turkish dotted capital I and dotless small i have no other case. RE2/J's own folding is not
 * used: its table is older than the JVM's, and where both differ (the dotted capital I) it loops forever.
 */
final class CaseFolding {
    /** No letter from this code point on has a case. */
    private static final int END_OF_CASES = 0x20000;

    private static final int DOTTED_CAPITAL_I = 0x130;
    private static final int DOTLESS_SMALL_I = 0x131;

    /** For each folded character, the other characters that fold to it. */
    private static final Map<Integer, List<Integer>> OTHERS = new HashMap<>();

    // Characters that have another case.
    private static final BitSet CASED = new BitSet(END_OF_CASES);

    static {
        for (int c = 0; c < END_OF_CASES; c++) {
            int folded = folded(c);
            if (c != folded) {
                OTHERS.computeIfAbsent(folded, same -> new ArrayList<>(1)).add(c);
                CASED.set(c);
                CASED.set(folded);
            }
        }
    }

    private CaseFolding() {}

    private static int folded(int c) {
        return c == DOTTED_CAPITAL_I || c == DOTLESS_SMALL_I ? c : Character.toLowerCase(Character.toUpperCase(c));
    }

    /** Adds to a set of characters all that differ from one of them only in case. */
    static void close(BitSet characters) {
        BitSet cased = (BitSet) characters.clone();
        cased.and(CASED);
        for (int c = cased.nextSetBit(0); c >= 0; c = cased.nextSetBit(c + 1)) {
            characters.set(folded(c));
            OTHERS.get(folded(c)).forEach(characters::set);
        }
    }
}
