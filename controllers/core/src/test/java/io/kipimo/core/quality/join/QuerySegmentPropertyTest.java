package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.QueryKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A segment behaves as a map, whatever the ids, and a copy is independent. */
class QuerySegmentPropertyTest {
    private static final int STEPS = 400;
    private static final List<String> SERVICES = List.of("search", "shop");

    @Property(tries = 200)
    void aSegmentIsAMap(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        // Few hashes, so that keys collide.
        int hashes = 1 + random.nextInt(40);
        QuerySegment segment = new QuerySegment();
        Map<QueryKey, OpenQuery> expected = new HashMap<>();
        QuerySegment before = segment.copy();
        Map<QueryKey, OpenQuery> expectedBefore = Map.of();
        for (int step = 0; step < STEPS; step++) {
            QueryKey key = anyKey(random);
            int hash = 1 + Math.floorMod(key.hashCode(), hashes);
            switch (random.nextInt(4)) {
                case 0 -> {
                    segment.remove(key, hash);
                    expected.remove(key);
                }
                case 1, 2 -> {
                    OpenQuery query = new OpenQuery();
                    query.setKey(key);
                    segment.put(query, hash);
                    expected.put(key, query);
                }
                default -> assertThat(segment.find(key, hash)).isSameAs(expected.get(key));
            }
            if (random.nextInt(50) == 0) {
                assertThat(contents(before)).isEqualTo(expectedBefore);
                before = segment;
                expectedBefore = new HashMap<>(expected);
                segment = segment.copy();
            }
        }
        assertThat(contents(segment)).isEqualTo(expected);
        assertThat(segment.size()).isEqualTo(expected.size());
        assertThat(contents(before)).as("copied before it changed").isEqualTo(expectedBefore);
    }

    /** Few ids, so that they occur again; some differ in one half or in the service only. */
    private static QueryKey anyKey(Random random) {
        return new QueryKey(
                SERVICES.get(random.nextInt(2)),
                random.nextInt(4) == 0
                        ? "q" + random.nextInt(10)
                        : "%016x%016x".formatted(random.nextInt(5), 1 + random.nextInt(10)));
    }

    private static Map<QueryKey, OpenQuery> contents(QuerySegment segment) throws Exception {
        Map<QueryKey, OpenQuery> contents = new HashMap<>();
        segment.forEach(contents::put);
        return contents;
    }
}
