package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import java.util.List;
import java.util.Random;

/** A cache of any and changing size, flushed at any time, in front of a store that keeps bytes. */
class WriteBehindQueryStoreContractTest extends JoinContract {
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        Random random = new Random(seed);
        StoredQueriesContractTest.ByteStore bytes = new StoredQueriesContractTest.ByteStore();
        WriteBehindQueryStore store = new WriteBehindQueryStore(bytes, random.nextInt(50), random.nextInt(1_000));
        Joined joined = new Run(store).over(arrivals, arrival -> {
            if (random.nextInt(100) == 0) {
                store.flush();
            }
            if (random.nextInt(10) == 0) {
                store.bound(random.nextInt(200));
            }
            return Events.logged(arrival.event());
        });
        assertThat(bytes.stored).isEmpty();
        return joined;
    }
}
