package io.kipimo.simulator.caching;

import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSession;
import io.kipimo.core.stale.FreshnessSession.Verdict;
import io.kipimo.core.stale.FreshnessSession.Way;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.workload.Zipf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Model of clients and caches. Each connection of each client reads or writes, waits for the
 * answer, thinks, and repeats. An answer is stored in the shared cache and at the client until its
 * expiry, in the order of arrival: as in real caches, an older answer that arrives later replaces a
 * newer one.
 *
 * <p>The staleness of a read is the time from the write that it missed to the beginning of the
 * read, if that write was applied before.
 */
public final class CachingModel {
    /** Start of virtual time, epoch milliseconds; not 0, because 0 means that a time is not set. */
    private static final long EPOCH_MILLIS = 1_000_000;

    private static final double NANOS_PER_MILLI = 1e6;

    /** A cache's entry for a key. */
    private record Entry(int version, long expiryMillis) {}

    /** An answer in transit. */
    private record Reply(Entry entry, FlatFilter filter) {}

    private final class Client {
        final FreshnessSession session = new FreshnessSession(spec.freshness());
        final Map<Integer, Entry> cache = new HashMap<>();
        final Map<Integer, Integer> seen = new HashMap<>();
        final Map<Integer, Integer> written = new HashMap<>();
    }

    private final class Read {
        final Client client;
        final int key;
        final long startMillis;
        final long startNanos;
        final int seenBefore;
        final int writtenBefore;

        Read(Client client, int key) {
            this.client = client;
            this.key = key;
            startMillis = nowMillis();
            startNanos = engine.nowNanos();
            seenBefore = client.seen.getOrDefault(key, 0);
            writtenBefore = client.written.getOrDefault(key, 0);
        }

        void begin() {
            if (!spec.mode().hasFilter()) {
                ask(spec.mode() == CachingSpec.Mode.NO_CACHES);
                return;
            }
            Way way = client.session.decide(origin.name(key), nowMillis());
            if (way == Way.REVALIDATE) {
                revalidations++;
                falseRevalidations += origin.isStale(key, nowMillis()) ? 0 : 1;
            }
            ask(way != Way.CACHED);
        }

        private void ask(boolean pastCaches) {
            if (!pastCaches) {
                Entry own = client.cache.get(key);
                if (own != null && own.expiryMillis() > nowMillis()) {
                    clientHits++;
                    clientQueryHits += origin.isQuery(key) ? 1 : 0;
                    arrive(new Reply(own, null), false, nowMillis());
                    return;
                }
            }
            long requestedMillis = nowMillis();
            after(spec.sharedCacheMillis(), () -> atSharedCache(pastCaches, requestedMillis));
        }

        private void atSharedCache(boolean pastCaches, long requestedMillis) {
            Entry entry = sharedCache.get(key);
            if (!pastCaches && entry != null && entry.expiryMillis() > nowMillis()) {
                sharedHits++;
                after(
                        spec.sharedCacheMillis(),
                        () -> store(new Reply(entry, null), false, requestedMillis));
            } else {
                after(spec.originMillis(), () -> atOrigin(pastCaches, requestedMillis));
            }
        }

        private void atOrigin(boolean pastCaches, long requestedMillis) {
            int version = origin.version(key);
            long expiry = origin.read(key, nowMillis());
            Reply reply =
                    new Reply(
                            new Entry(version, expiry),
                            spec.mode().hasFilter() ? origin.filter(nowMillis()) : null);
            // Travel times vary, so answers can overtake each other.
            after(
                    spec.originMillis() * (0.5 + random.nextDouble()),
                    () -> {
                        if (spec.mode() != CachingSpec.Mode.NO_CACHES) {
                            sharedCache.put(key, reply.entry());
                        }
                        after(
                                spec.sharedCacheMillis(),
                                () -> store(reply, pastCaches, requestedMillis));
                    });
        }

        private void store(Reply reply, boolean isRevalidated, long requestedMillis) {
            if (spec.mode() != CachingSpec.Mode.NO_CACHES) {
                client.cache.put(key, reply.entry());
            }
            arrive(reply, isRevalidated, requestedMillis);
        }

        private void arrive(Reply reply, boolean isRevalidated, long requestedMillis) {
            int version = reply.entry().version();
            if (spec.mode().hasFilter()) {
                String name = origin.name(key);
                if (reply.filter() != null) {
                    client.session.refresh(reply.filter(), requestedMillis);
                }
                Verdict verdict = client.session.judge(name, version);
                if (isRevalidated) {
                    client.session.revalidated(name, version, requestedMillis);
                    // The session may have seen a newer version since the request.
                    version = Math.max(version, client.seen.getOrDefault(key, 0));
                } else if (verdict == Verdict.REVALIDATE) {
                    revalidations++;
                    ask(true);
                    return;
                }
            }
            end(version);
        }

        private void end(int version) {
            reads++;
            latencyNanos += engine.nowNanos() - startNanos;
            boolean isQuery = origin.isQuery(key);
            recordReads += isQuery ? 0 : 1;
            long superseded = origin.supersededMillis(key, version);
            if (superseded < startMillis) {
                staleQueryReads += isQuery ? 1 : 0;
                staleRecordReads += isQuery ? 0 : 1;
                long stale = startMillis - superseded;
                longestStaleMillis = Math.max(longestStaleMillis, stale);
                double allowed =
                        spec.freshness().refreshMillis() + (isQuery ? spec.detectionMillis() : 0);
                tooStale += stale > allowed ? 1 : 0;
            }
            backwards += version < seenBefore ? 1 : 0;
            ownWritesMissed += version < writtenBefore ? 1 : 0;
            client.seen.merge(key, version, Math::max);
            think(client);
        }
    }

    private final CachingSpec spec;
    private final Engine engine = new Engine();
    private final RandomStream random;
    private final Zipf recordPopularity;
    private final Zipf queryPopularity;
    private final Origin origin;
    private final Map<Integer, Entry> sharedCache = new HashMap<>();

    private long reads;
    private long recordReads;
    private long clientHits;
    private long clientQueryHits;
    private long sharedHits;
    private long writes;
    private long invalidations;
    private long staleRecordReads;
    private long staleQueryReads;
    private long longestStaleMillis;
    private long tooStale;
    private long backwards;
    private long ownWritesMissed;
    private long revalidations;
    private long falseRevalidations;
    private double latencyNanos;

    private CachingModel(CachingSpec spec, long seed) {
        this.spec = spec;
        this.random = RandomStream.of(seed, "operations");
        this.recordPopularity = new Zipf(spec.records(), spec.zipf());
        this.queryPopularity = new Zipf(spec.queries(), spec.zipf());
        this.origin = new Origin(spec, RandomStream.of(seed, "results"), EPOCH_MILLIS);
    }

    /** Runs this number of reads; the same seed gives the same result. */
    public static CachingResult run(CachingSpec spec, long seed, long reads) {
        CachingModel model = new CachingModel(spec, seed);
        model.go(reads);
        return model.result();
    }

    /** Runs the reads and returns how the times to live turned out. */
    public static List<TrueTtl> trueTtls(CachingSpec spec, long seed, long reads) {
        CachingModel model = new CachingModel(spec, seed);
        model.go(reads);
        return model.origin.trueTtls();
    }

    private void go(long wanted) {
        for (int i = 0; i < spec.clients(); i++) {
            Client client = new Client();
            for (int j = 0; j < spec.connections(); j++) {
                think(client);
            }
        }
        while (reads < wanted) {
            engine.step();
        }
    }

    private void think(Client client) {
        after(spec.thinkMillis() * random.nextExponential(), () -> operate(client));
    }

    private void operate(Client client) {
        if (random.nextDouble() < spec.writeShare()) {
            write(client, recordPopularity.draw(random));
        } else if (random.nextDouble() < spec.queryShare()) {
            new Read(client, spec.records() + queryPopularity.draw(random)).begin();
        } else {
            new Read(client, recordPopularity.draw(random)).begin();
        }
    }

    private void write(Client client, int record) {
        client.cache.remove(record);
        double oneWay = spec.sharedCacheMillis() + spec.originMillis();
        after(
                oneWay,
                () -> {
                    int version = origin.write(record, nowMillis());
                    invalidate(record);
                    after(
                            spec.detectionMillis(),
                            () -> origin.queriesOf(record).forEach(this::invalidate));
                    after(
                            oneWay,
                            () -> {
                                writes++;
                                client.session.wrote(origin.name(record), version);
                                client.written.merge(record, version, Math::max);
                                client.seen.merge(record, version, Math::max);
                                think(client);
                            });
                });
    }

    private void invalidate(int key) {
        if (origin.invalidate(key, nowMillis())) {
            invalidations++;
            if (spec.mode().hasPurges()) {
                after(spec.purgeMillis(), () -> sharedCache.remove(key));
            }
        }
    }

    private void after(double millis, Runnable event) {
        engine.schedule(
                engine.nowNanos() + (long) (millis * NANOS_PER_MILLI), ignored -> event.run(), 0);
    }

    private long nowMillis() {
        return EPOCH_MILLIS + engine.nowNanos() / 1_000_000;
    }

    private CachingResult result() {
        return CachingResultBuilder.builder()
                .reads(reads)
                .recordReads(recordReads)
                .clientHits(clientHits)
                .clientQueryHits(clientQueryHits)
                .sharedHits(sharedHits)
                .writes(writes)
                .invalidations(invalidations)
                .staleRecordReads(staleRecordReads)
                .staleQueryReads(staleQueryReads)
                .longestStaleMillis((double) longestStaleMillis)
                .tooStale(tooStale)
                .backwards(backwards)
                .ownWritesMissed(ownWritesMissed)
                .revalidations(revalidations)
                .falseRevalidations(falseRevalidations)
                .meanLatencyMillis(latencyNanos / NANOS_PER_MILLI / reads)
                .build();
    }
}
