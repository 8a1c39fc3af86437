package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Items;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class TrecOrderTest {
    @Test
    void higherScoresComeFirstAndTiesByDescendingId() {
        assertThat(TrecOrder.compare(2, 1, 1, 9)).isNegative();
        assertThat(TrecOrder.compare(1, 9, 2, 1)).isPositive();
        assertThat(TrecOrder.compare(1, 9, 1, 1)).isNegative();
        assertThat(TrecOrder.compare(1, -1, 1, 1)).as("unsigned").isNegative();
        assertThat(TrecOrder.compare(-0.0, 9, 0.0, 1)).as("zeros tie").isNegative();
        assertThat(TrecOrder.compare(1, 1, 1, 1)).isZero();
    }

    @Property(seed = "31")
    void textsCompareAsTheirUtf8Bytes(
            @ForAll @StringLength(max = 4) String first, @ForAll @StringLength(max = 4) String second) {
        byte[] firstBytes = new String(codePoints(first), 0, 4).getBytes(StandardCharsets.UTF_8);
        byte[] secondBytes = new String(codePoints(second), 0, 4).getBytes(StandardCharsets.UTF_8);
        int expected = Integer.signum(Arrays.compareUnsigned(firstBytes, secondBytes));
        int actual = TrecOrder.compareTexts(new String(codePoints(first), 0, 4), new String(codePoints(second), 0, 4));
        assertThat(Integer.signum(actual)).isEqualTo(expected);
    }

    /** Four valid code points, derived from the text's characters, from all over Unicode. */
    private static int[] codePoints(String text) {
        int[] codePoints = new int[4];
        for (int i = 0; i < 4; i++) {
            int wide = i < text.length() ? text.charAt(i) * 17 % 0x110000 : 'a';
            codePoints[i] = wide >= 0xD800 && wide <= 0xDFFF ? 0x10000 : wide;
        }
        return codePoints;
    }

    @Test
    void rankedItemsStayAsTheyAreAndOthersAreRanked() {
        Items ranked = Items.ofNumbers(new long[] {7, -1, 3}, new float[] {9, 5, 5});
        Items mixed = Items.ofNumbers(new long[] {3, 7, -1}, new float[] {5, 9, 5});

        assertThat(TrecOrder.ranked(ranked)).isSameAs(ranked);
        assertThat(TrecOrder.ranked(mixed)).usingRecursiveComparison().isEqualTo(ranked);
        assertThat(mixed.numbers()).as("the original").containsExactly(3, 7, -1);
    }
}
