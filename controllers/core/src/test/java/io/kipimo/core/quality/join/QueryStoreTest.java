package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A join over this store measures as over any other, and its snapshots never change. */
class QueryStoreTest extends JoinContract {
    private static final int EVENTS_BETWEEN_SNAPSHOTS = 50;

    /** Takes a snapshot now and then, so that segments and queries are copied. */
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        QueryStore store = new QueryStore();
        int[] events = {0};
        return new Run(store).over(arrivals, arrival -> {
            if (events[0]++ % EVENTS_BETWEEN_SNAPSHOTS == 0) {
                assertThat(store.snapshot()).isNotNull();
            }
            return arrival.event();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSnapshotStaysAsItWas(long seed) throws Exception {
        QueryStore store = new QueryStore();
        List<Arrival> arrivals = JoinTraffic.of(seed);
        int[] events = {0};
        List<List<QuerySegment>> snapshots = new ArrayList<>();
        List<Map<String, String>> contents = new ArrayList<>();

        Joined joined = new Run(store).over(arrivals, arrival -> {
            if (events[0]++ % (arrivals.size() / 5) == 0) {
                snapshots.add(store.snapshot());
                contents.add(contents(snapshots.get(snapshots.size() - 1)));
            }
            return Events.logged(arrival.event());
        });

        assertThat(joined.rows()).isNotEmpty();
        for (int i = 0; i < snapshots.size(); i++) {
            assertThat(contents(snapshots.get(i))).isEqualTo(contents.get(i));
        }
        assertThat(new HashSet<>(contents))
                .as("queries changed between the snapshots")
                .hasSizeGreaterThan(3);
    }

    @Test
    void anEmptyStoreHasAnEmptySnapshot() {
        assertThat(new QueryStore().snapshot()).isEmpty();
    }

    private static Map<String, String> contents(List<QuerySegment> snapshot) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        for (QuerySegment segment : snapshot) {
            segment.forEach((key, query) -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                OpenQueryFormatTest.FORMAT.write(query, new DataOutputStream(bytes));
                contents.put(key.toString(), HexFormat.of().formatHex(bytes.toByteArray()));
            });
        }
        return contents;
    }
}
