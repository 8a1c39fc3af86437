package io.kipimo.core.invalidation.filter;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FilterIndexTest {
    private final FilterIndex index = new FilterIndex();

    private void add(int slot, String filter) {
        index.add(slot, Filter.parse(json(filter)));
    }

    @Test
    void onlyFiltersThatTheValuesPointToAreTested() {
        for (int i = 0; i < 1_000; i++) {
            add(i, "{type: 'post', author: " + i + ", likes: {$gt: 10}}");
            add(1_000 + i, "{price: {$gte: " + 10 * i + ", $lt: " + (10 * i + 10) + "}}");
            add(2_000 + i, "{name: {$regex: '^user" + (100 + i) + " '}}");
            add(3_000 + i, "{items: {$elemMatch: {id: " + i + ", n: {$gt: 1}}}}");
        }
        assertThat(index.scanned()).isZero();
        int selected = index.select(json("{type: 'post', author: 7, likes: 20, price: 15, name: 'user107 x',"
                + " items: [{id: 3, n: 2}, {id: 4, n: 0}]}"));
        assertThat(selected).isEqualTo(4);
        // user107 and all values with the same first eight bytes, plus one filter by type.
        assertThat(index.tests()).isLessThan(10);
    }

    @Test
    void equalitiesAloneNeedNoTest() {
        add(0, "{a: 1}");
        add(1, "{a: {$in: [1, 'x', null]}}");
        add(2, "{$or: [{a: 1}, {b: 2}]}");
        assertThat(index.select(json("{a: [1, 'x'], b: 2}"))).isEqualTo(3);
        assertThat(index.select(json("{}"))).isEqualTo(1);
        assertThat(index.selected(0)).isEqualTo(1);
        assertThat(index.tests()).isZero();
    }

    @Test
    void bothEndsOfARangeMayBeMetByDifferentElements() {
        add(0, "{a: {$gt: 4, $lt: 6}}");
        assertThat(index.select(json("{a: [0, 10]}"))).isEqualTo(1);
        assertThat(index.select(json("{a: [7, 10]}"))).isZero();
        add(1, "{a: {$gt: 6, $lt: 4}}");
        assertThat(index.select(json("{a: [0, 10]}"))).isEqualTo(2);
        assertThat(index.select(json("{a: 5}"))).isEqualTo(1);
    }

    @Test
    void aSlotHoldsOneFilter() {
        add(0, "{a: 1}");
        assertThatIllegalArgumentException().isThrownBy(() -> add(0, "{a: 2}")).withMessageContaining("slot 0");
        index.remove(0);
        assertThatIllegalArgumentException().isThrownBy(() -> index.remove(0));
        add(0, "{a: 2}");
        assertThat(index.select(json("{a: 1}"))).isZero();
    }
}
