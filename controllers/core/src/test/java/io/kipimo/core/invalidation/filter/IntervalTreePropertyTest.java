package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class IntervalTreePropertyTest {
    @Property(tries = 100, seed = "72")
    void findsWhatOverlapsAsIntervalsComeAndGo(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        IntervalTree tree = new IntervalTree();
        Map<Integer, long[]> all = new TreeMap<>();
        for (int step = 0; step < 500; step++) {
            int slot = random.nextInt(120);
            long[] known = all.remove(slot);
            if (known != null) {
                tree.remove(known[0], known[1], slot);
            } else {
                long from = random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextInt(50);
                long to = random.nextInt(8) == 0 ? Long.MAX_VALUE : random.nextInt(60);
                all.put(slot, new long[] {from, to});
                tree.add(from, to, slot);
            }
            long from = random.nextInt(60);
            long to = from + random.nextInt(3);
            List<Integer> found = new ArrayList<>();
            tree.overlapping(from, to, found::add);
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(all.entrySet().stream()
                            .filter(e -> e.getValue()[0] <= to && e.getValue()[1] >= from)
                            .map(Map.Entry::getKey)
                            .toList());
            assertThat(tree.size()).isEqualTo(all.size());
        }
    }
}
