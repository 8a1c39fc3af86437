package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.schemas.quality.QueryKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A store that keeps bytes, like RocksDB, does not depend on object identity. */
class StoredQueriesContractTest extends JoinContract {
    static final class ByteStore implements QueryStore {
        final Map<QueryKey, byte[]> stored = new HashMap<>();

        @Override
        public OpenQuery find(QueryKey key) {
            byte[] bytes = stored.get(key);
            try {
                return bytes == null
                        ? null
                        : OpenQueryFormatTest.FORMAT.read(
                                new DataInputStream(new ByteArrayInputStream(bytes)), OpenQueryFormat.VERSION);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void keep(QueryKey key, OpenQuery query, boolean isNew) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                OpenQueryFormatTest.FORMAT.write(query, new DataOutputStream(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            assertThat(stored.put(key, bytes.toByteArray()) == null).isEqualTo(isNew);
        }

        @Override
        public void forget(QueryKey key) {
            stored.remove(key);
        }

        @Override
        public boolean keepsObjects() {
            return false;
        }
    }

    @Override
    protected Joined join(List<Arrival> arrivals, long seed) throws Exception {
        ByteStore store = new ByteStore();
        Joined joined = new Run(store).over(arrivals, arrival -> Events.logged(arrival.event()));
        assertThat(store.stored).isEmpty();
        return joined;
    }
}
