package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FilterIndexPropertyTest {
    @Property(tries = 60, seed = "71")
    void selectsWhatTestingAllFiltersSelectsAsFiltersComeAndGo(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomFilters filters = new RandomFilters(random);
        FilterIndex index = new FilterIndex();
        Map<Integer, Filter> all = new TreeMap<>();
        for (int step = 0; step < 200; step++) {
            int slot = random.nextInt(60);
            if (all.remove(slot) != null) {
                index.remove(slot);
            } else {
                Filter filter = Filter.parse(ExtendedJson.document(filters.filter()));
                all.put(slot, filter);
                index.add(slot, filter);
            }
            Document document = ExtendedJson.document(filters.document());
            List<Integer> selected = new ArrayList<>();
            for (int i = 0, n = index.select(document); i < n; i++) {
                selected.add(index.selected(i));
            }
            List<Integer> expected = all.entrySet().stream()
                    .filter(e -> e.getValue().matches(document))
                    .map(Map.Entry::getKey)
                    .toList();
            Collections.sort(selected);
            assertThat(selected).as("document %s", document).isEqualTo(expected);
        }
        assertThat(index.size()).isEqualTo(all.size());
    }
}
