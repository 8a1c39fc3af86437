package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Items;
import org.junit.jupiter.api.Test;

class PartTest {
    private static final long[] IDS = {7, 8, 9};

    @Test
    void isRankedWhateverTheOrderThatTheComponentSent() {
        Part part = new Part("a", Items.ofNumbers(IDS, new float[] {1, 3, 2}));
        assertThat(part.items())
                .usingRecursiveComparison()
                .isEqualTo(Items.ofNumbers(new long[] {8, 9, 7}, new float[] {3, 2, 1}));
    }

    @Test
    void copiesNothingThatIsRanked() {
        Items ranked = Items.ofNumbers(IDS, new float[] {3, 2, 1});
        assertThat(new Part("a", ranked).items()).isSameAs(ranked);
    }
}
