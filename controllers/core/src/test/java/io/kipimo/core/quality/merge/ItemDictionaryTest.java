package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.quality.Items;
import java.util.List;
import org.junit.jupiter.api.Test;

class ItemDictionaryTest {
    @Test
    void textsBecomeNumbersInTheSameOrder() {
        Items some = texts("pear", "apple");
        Items others = texts("fig", "pear", "Zebra");
        ItemDictionary dictionary = ItemDictionary.of(List.of(some, Items.NONE, others));
        assertThat(dictionary.toNumbers(some).numbers()).containsExactly(3, 1);
        assertThat(dictionary.toNumbers(others).numbers()).containsExactly(2, 3, 0);
        assertThat(dictionary.toNumbers(others).scores()).isSameAs(others.scores());
        assertThat(dictionary.toNumbers(Items.NONE).isEmpty()).isTrue();
    }

    @Test
    void numbersStayAsTheyAre() {
        Items numbers = Items.ofNumbers(new long[] {7, -1}, new float[2]);
        assertThat(ItemDictionary.of(List.of(numbers)).toNumbers(numbers)).isSameAs(numbers);
    }

    @Test
    void numbersAmongTextsAreTheirUnsignedDigits() {
        Items numbers = Items.ofNumbers(new long[] {10, -1}, new float[2]);
        Items texts = texts("10", "9");
        ItemDictionary dictionary = ItemDictionary.of(List.of(numbers, texts));
        assertThat(dictionary.toNumbers(numbers).numbers()).containsExactly(0, 1);
        assertThat(dictionary.toNumbers(texts).numbers()).containsExactly(0, 2);
    }

    @Test
    void anotherQuerysItemIsRefused() {
        ItemDictionary dictionary = ItemDictionary.of(List.of(texts("a")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dictionary.toNumbers(texts("b")))
                .withMessage("item 'b' is not in the dictionary of the query");
    }

    private static Items texts(String... texts) {
        return Items.ofTexts(texts, new float[texts.length]);
    }
}
