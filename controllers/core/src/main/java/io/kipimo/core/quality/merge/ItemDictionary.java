package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.Items;
import java.util.Arrays;
import java.util.Collection;

/**
 * Maps the text ids of one query to numbers whose unsigned order is the order of the texts, so that merges and
 * similarities handle numbers only. All merges of a query need the same dictionary.
 *
 * <p>If all ids are numbers, they stay unchanged. If only some components of a query use numbers, a number counts as
 * the text of its decimal digits.
 */
public final class ItemDictionary {
    private final boolean hasTexts;

    /** The text ids, ascending and distinct; empty if all ids are numbers. */
    private final String[] texts;

    private ItemDictionary(boolean hasTexts, String[] texts) {
        this.hasTexts = hasTexts;
        this.texts = texts;
    }

    /** The dictionary of exactly these items. */
    public static ItemDictionary of(Collection<Items> all) {
        boolean hasTexts = all.stream().anyMatch(Items::isTexts);
        if (!hasTexts) {
            return new ItemDictionary(false, new String[0]);
        }
        String[] texts = all.stream()
                .flatMap(items -> Arrays.stream(textsOf(items)))
                .sorted(TrecOrder::compareTexts)
                .distinct()
                .toArray(String[]::new);
        return new ItemDictionary(true, texts);
    }

    /**
     * These items, identified by numbers.
     *
     * @throws IllegalArgumentException if an item is not in the dictionary
     */
    public Items toNumbers(Items items) {
        if (items.isEmpty() || (!hasTexts && !items.isTexts())) {
            return items;
        }
        String[] ids = textsOf(items);
        long[] numbers = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            int index = Arrays.binarySearch(texts, ids[i], TrecOrder::compareTexts);
            if (index < 0) {
                throw new IllegalArgumentException("item '" + ids[i] + "' is not in the dictionary of the query");
            }
            numbers[i] = index;
        }
        return Items.ofNumbers(numbers, items.scores());
    }

    /** The identifier that a number stands for: its text, or the unsigned number itself. */
    public String text(long number) {
        return hasTexts ? texts[(int) number] : Long.toUnsignedString(number);
    }

    private static String[] textsOf(Items items) {
        return items.isTexts()
                ? items.texts()
                : Arrays.stream(items.numbers())
                        .mapToObj(Long::toUnsignedString)
                        .toArray(String[]::new);
    }
}
