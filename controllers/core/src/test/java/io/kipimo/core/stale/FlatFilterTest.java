package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FlatFilterTest {
    private static final FilterShape SHAPE = FilterShape.ONE_ROUND_TRIP;

    /** Quaestor, sec. 3.3: 14.6 KB with 20,000 stale queries have 6 % false positives. */
    @Test
    void twentyThousandKeysInOneRoundTripHaveSixInAHundredFalsePositives() {
        assertThat(SHAPE.bytes()).isEqualTo(14_600);
        assertThat(SHAPE.falsePositiveRate(20_000)).isEqualTo(0.06, within(0.001));
        FlatFilter filter = filled("stale-", 20_000);
        int absent = 1_000_000;
        int taken = 0;
        for (int i = 0; i < absent; i++) {
            taken += filter.mightContain("fresh-" + i) ? 1 : 0;
        }
        double expected = SHAPE.falsePositiveRate(20_000);
        assertThat((double) taken / absent).isEqualTo(expected, within(0.1 * expected));
        assertThat(filter.falsePositiveRate()).isEqualTo(expected, within(0.1 * expected));
        // Keys inside by the fill (Swamidass and Baldi, 2007).
        FilterShape shape = filter.shape();
        double keys = -(double) shape.bits() / shape.hashes() * Math.log1p(-filter.fill());
        assertThat(keys).isEqualTo(20_000, within(400.0));
    }

    @Test
    void aUnionHoldsTheKeysOfBoth() {
        FlatFilter union = filled("a", 500).union(filled("b", 500));
        for (int i = 0; i < 500; i++) {
            assertThat(union.mightContain("a" + i)).isTrue();
            assertThat(union.mightContain("b" + i)).isTrue();
        }
    }

    @Test
    void filtersOfDifferentShapesAreNotUnited() {
        assertThatThrownBy(() -> FlatFilter.empty(SHAPE).union(FlatFilter.empty(new FilterShape(8, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed: the same shape");
    }

    @Test
    void bytesThatRedisCutAtTheLastSetBitAreZero() {
        FlatFilter one = FlatFilter.of(new FilterShape(80, 1), new byte[] {(byte) 0x80});
        assertThat(one.toBytes()).hasSize(10).startsWith(0x80).endsWith(0);
    }

    /** A test vector for clients in other languages: XXH64 of the empty text, seed 0. */
    @Test
    void keysAreHashedByXxh64() {
        assertThat(KeyHash.of("")).isEqualTo(0xEF46DB3751D8E999L);
        assertThat(KeyHash.of("a")).isEqualTo(0xD24EC4F1A98C6E5BL);
        assertThat(KeyHash.positions(KeyHash.of("a"), SHAPE))
                .containsExactly(position(0), position(1), position(2), position(3));
    }

    private static int position(int index) {
        long low = 0xA98C6E5BL;
        long high = 0xD24EC4F1L | 1;
        return (int) ((low + index * high) % (1L << 32) % SHAPE.bits());
    }

    private static FlatFilter filled(String prefix, int keys) {
        CountingFilter filter = new CountingFilter(SHAPE);
        for (int i = 0; i < keys; i++) {
            filter.add(KeyHash.of(prefix + i));
        }
        return filter.flat();
    }

    @Test
    void aCounterThatIsFullStaysFull() {
        CountingFilter filter = new CountingFilter(new FilterShape(8, 1));
        SplittableRandom random = new SplittableRandom(1);
        long[] keys = random.longs(3_000).toArray();
        for (long key : keys) {
            filter.add(key);
        }
        for (long key : keys) {
            filter.remove(key);
        }
        assertThat(filter.flat().fill()).isEqualTo(1);
    }
}
