package io.kipimo.bench.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LateQueryTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void theProductIsExactUpToEight(int late) {
        LateQuery query = LateQuery.of(late, new SplittableRandom(late));
        assertThat(query.attribute(new SplittableRandom(1))).containsExactly(query.attributeExactly(), within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 9, 12})
    void sharesSumToTheLoss(int late) {
        LateQuery query = LateQuery.of(late, new SplittableRandom(late));
        assertThat(query.loss()).isPositive();
        assertThat(Arrays.stream(query.attributeExactly()).sum()).isCloseTo(query.loss(), within(1e-9));
        assertThat(Arrays.stream(query.attribute(new SplittableRandom(1))).sum())
                .isCloseTo(query.loss(), within(1e-9));
    }
}
