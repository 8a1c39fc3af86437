package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.inTime;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.QueryKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A segment behaves as a map, whatever the ids, and keeps what later events are compared with. */
class QuerySegmentPropertyTest {
    private static final int STEPS = 400;
    private static final List<String> SERVICES = List.of("search", "shop");

    /** What is known of a query: its start, and a number of marks. */
    private record Known(long startMillis, boolean settled, int arrived) {}

    @Property(tries = 200)
    void aSegmentIsAMap(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        QuerySegment segment = new QuerySegment(seed);
        Map<QueryKey, Known> expected = new HashMap<>();
        QuerySegment before = segment.copy();
        Map<QueryKey, Known> expectedBefore = Map.of();
        for (int step = 0; step < STEPS; step++) {
            QueryKey key = anyKey(random);
            switch (random.nextInt(4)) {
                case 0 -> {
                    segment.remove(key);
                    expected.remove(key);
                }
                case 1, 2 -> {
                    Known known =
                            new Known(
                                    1 + random.nextInt(1_000),
                                    random.nextBoolean(),
                                    random.nextInt(16));
                    segment.put(key, query(known));
                    expected.put(key, known);
                }
                default ->
                        assertThat(known(segment.find(key, new OpenQuery())))
                                .isEqualTo(expected.get(key));
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
        String service = SERVICES.get(random.nextInt(2));
        return random.nextInt(4) == 0
                ? new QueryKey(service, "q" + random.nextInt(10))
                : QueryKey.ofTraceId(service, random.nextInt(5), 1L + random.nextInt(10));
    }

    private static OpenQuery query(Known known) {
        OpenQuery query = new OpenQuery();
        query.take(Events.answer(inTime("a"), inTime("b")));
        query.startedAtMillis = known.startMillis();
        query.arrived = known.arrived();
        if (known.settled()) {
            query.markMeasured();
            query.discardResults();
        }
        return query;
    }

    private static Known known(OpenQuery query) {
        return query == null
                ? null
                : new Known(query.startedAtMillis(), query.isMeasured(), (int) query.arrived);
    }

    private static Map<QueryKey, Known> contents(QuerySegment segment) throws Exception {
        Map<QueryKey, Known> contents = new HashMap<>();
        segment.forEach((key, query) -> contents.put(key, known(query)));
        return contents;
    }
}
