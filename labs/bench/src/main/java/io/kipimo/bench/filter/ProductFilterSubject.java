package io.kipimo.bench.filter;

import io.kipimo.bench.filter.workload.FilterWorkload;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.redis.RedisSettings;
import io.kipimo.redis.RedisStaleKeys;

/** The product's implementation of stale keys. */
public final class ProductFilterSubject implements BenchmarkSubject {
    private static final FilterShape SHAPE = new FilterShape(FilterWorkload.BITS, FilterWorkload.HASHES);

    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        if (request.settings().get(FilterWorkload.HOME).equals(FilterWorkload.MEMORY)) {
            StaleKeys keys = new ExpiringFilter(SHAPE, FilterWorkload.LONGEST_TTL_MILLIS);
            return FilterWorkload.run(request, () -> new OneByOne(keys));
        }
        int port = Integer.parseInt(request.settings().get(FilterWorkload.PORT));
        int batch = Integer.parseInt(request.settings().get(FilterWorkload.BATCH));
        try (RedisStaleKeys keys = RedisStaleKeys.at(
                RedisSettings.of("127.0.0.1", port),
                "kipimo-" + request.repetition(),
                SHAPE,
                FilterWorkload.LONGEST_TTL_MILLIS)) {
            SubjectRun run =
                    FilterWorkload.run(request, () -> batch == 1 ? new OneByOne(keys) : new InBatches(keys, batch));
            keys.clear();
            return run;
        }
    }

    private record OneByOne(StaleKeys keys) implements FilterWorkload.FilterWriter {
        @Override
        public void reportRead(String key, long ttlMillis) {
            long now = System.currentTimeMillis();
            keys.reportRead(key, now + ttlMillis, now);
        }

        @Override
        public void invalidate(String key) {
            StaleKeys.InvalidationEffect unused = keys.invalidate(key, System.currentTimeMillis());
        }

        @Override
        public int fetch() {
            return keys.flat(System.currentTimeMillis()).toBytes().length;
        }
    }

    private static final class InBatches implements FilterWorkload.FilterWriter {
        private final RedisStaleKeys keys;
        private final RedisStaleKeys.Batch batch;
        private final int size;
        private int waiting;

        InBatches(RedisStaleKeys keys, int size) {
            this.keys = keys;
            this.batch = keys.batch();
            this.size = size;
        }

        @Override
        public void reportRead(String key, long ttlMillis) {
            long now = System.currentTimeMillis();
            batch.reportRead(key, now + ttlMillis, now);
            sendFull();
        }

        @Override
        public void invalidate(String key) {
            batch.invalidate(key, System.currentTimeMillis());
            sendFull();
        }

        private void sendFull() {
            if (++waiting == size) {
                waiting = 0;
                var unused = batch.send();
            }
        }

        @Override
        public int fetch() {
            return keys.flat(System.currentTimeMillis()).toBytes().length;
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
