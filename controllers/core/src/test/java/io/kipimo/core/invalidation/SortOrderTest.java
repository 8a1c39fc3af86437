package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SortOrderTest {
    private static int compare(String sort, String a, String b) {
        SortOrder order = SortOrder.parse(json(sort));
        return Integer.signum(order.compare(order.rank("1", json(a)), order.rank("2", json(b))));
    }

    @Test
    void arraysCountWithTheirLeastOrGreatestElement() {
        assertThat(compare("{a: 1}", "{a: [9, 1]}", "{a: 2}")).isEqualTo(-1);
        assertThat(compare("{a: -1}", "{a: [9, 1]}", "{a: 8}")).isEqualTo(-1);
        assertThat(compare("{'a.b': 1}", "{a: [{b: 3}, {b: 1}]}", "{a: {b: 2}}"))
                .isEqualTo(-1);
    }

    @Test
    void emptyArraysAreBelowNullWhichMissingFieldsAre() {
        assertThat(compare("{a: 1}", "{a: []}", "{a: null}")).isEqualTo(-1);
        assertThat(compare("{a: 1}", "{_id: 1}", "{_id: 1, a: null}")).isEqualTo(-1);
        assertThat(compare("{a: 1}", "{_id: 2}", "{_id: 1, a: null}")).isEqualTo(1);
        assertThat(compare("{a: 1}", "{}", "{a: 0}")).isEqualTo(-1);
    }

    @Test
    void whatHasNoExactOrderIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SortOrder.parse(json("{'a.0': 1}")))
                .withMessageContaining("a.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SortOrder.parse(json("{'a.b': 1, 'a.c': 1}")))
                .withMessageContaining("'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SortOrder.parse(json("{a: {$meta: 'textScore'}}")))
                .withMessageContaining("1, -1");
    }
}
