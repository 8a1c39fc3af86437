package io.kipimo.bench.filter.peer;

import io.kipimo.bench.filter.workload.FilterWorkload;
import io.kipimo.bench.side.BenchmarkSubject;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import java.util.concurrent.TimeUnit;
import orestes.bloomfilter.FilterBuilder;
import orestes.bloomfilter.cachesketch.ExpiringBloomFilter;
import orestes.bloomfilter.cachesketch.ExpiringBloomFilterMemory;
import orestes.bloomfilter.cachesketch.ExpiringBloomFilterPureRedis;

/** com.baqend:bloom-filter as its documentation uses it; its writers share one filter. */
public final class PeerFilterSubject implements BenchmarkSubject {
    @Override
    public SubjectRun run(SideRequest request) throws Exception {
        FilterBuilder builder = new FilterBuilder(FilterWorkload.BITS, FilterWorkload.HASHES)
                .name("peer-" + request.repetition())
                .overwriteIfExists(true);
        ExpiringBloomFilter<String> filter;
        if (request.settings().get(FilterWorkload.HOME).equals(FilterWorkload.REDIS)) {
            filter = new ExpiringBloomFilterPureRedis(builder.redisBacked(true)
                    .redisHost("127.0.0.1")
                    .redisPort(Integer.parseInt(request.settings().get(FilterWorkload.PORT)))
                    .redisConnections(16)
                    .complete());
        } else {
            filter = new ExpiringBloomFilterMemory<>(builder.complete());
        }
        SubjectRun run = FilterWorkload.run(request, () -> writer(filter));
        filter.remove();
        return run;
    }

    private static FilterWorkload.FilterWriter writer(ExpiringBloomFilter<String> filter) {
        return new FilterWorkload.FilterWriter() {
            @Override
            public void reportRead(String key, long ttlMillis) {
                filter.reportRead(key, ttlMillis, TimeUnit.MILLISECONDS);
            }

            @Override
            public void invalidate(String key) {
                boolean unused = filter.reportWrite(key);
            }

            @Override
            public int fetch() {
                return filter.getClonedBloomFilter().getBitSet().toByteArray().length;
            }
        };
    }
}
