package io.kipimo.core.invalidation.filter;

import static io.kipimo.core.invalidation.filter.Json.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RangeKeyTest {
    @Test
    void keysKeepTheOrderOfValues() {
        SplittableRandom random = new SplittableRandom(5);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            values.add(new Value.Int64(random.nextLong() >> random.nextInt(64)));
            values.add(new Value.Float64(random.nextInt(100) / 8.0 - 5));
            values.add(new Value.Date(random.nextLong()));
            values.add(new Value.Timestamp(random.nextInt(), random.nextInt()));
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(10); n > 0; n--) {
                text.appendCodePoint(List.of(97, 98, 0, 0xE9, 0xFFFD, 0x1F600).get(random.nextInt(6)));
            }
            values.add(new Value.TextValue(text.toString()));
        }
        values.add(value("{$numberDouble: 'NaN'}"));
        values.add(value("{$numberDouble: 'Infinity'}"));
        values.add(value("-0.0"));
        values.add(value("{$numberDecimal: '1E+4000'}"));
        for (Value a : values) {
            for (Value b : values) {
                if (a.type().bracket() == b.type().bracket() && ValueOrder.order(a, b) <= 0) {
                    assertThat(RangeKey.of(a)).as("%s, %s", a, b).isLessThanOrEqualTo(RangeKey.of(b));
                }
            }
        }
    }

    @Test
    void stringsWithAPrefixLieBetweenItsKeys() {
        for (String prefix : List.of("a", "user:", "longer than eight bytes")) {
            for (String rest : List.of("", "a", "\uFFFD", "\uD83D\uDE00")) {
                assertThat(RangeKey.of(new Value.TextValue(prefix + rest)))
                        .isBetween(RangeKey.of(new Value.TextValue(prefix)), RangeKey.lastWithPrefix(prefix));
            }
        }
    }
}
