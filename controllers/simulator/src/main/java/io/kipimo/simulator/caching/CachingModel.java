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
 * The model: every connection of every client reads or writes, waits for the answer, thinks, and
 * goes on. Answers pass the shared cache on their way and are stored there and with the client
 * until the expiry that the origin named, whatever has come in between: an older answer that was
 * overtaken replaces a newer one, as in real caches.
 *
 * <p>A read is stale by the time from the write that it missed, if that was applied before the read
 * began, to its beginning.
 */
public final class CachingModel {
    /** Virtual time begins here, epoch milliseconds, so that no time is 0. */
    private static final long EPOCH_MILLIS = 1_000_000;

    private static final double NANOS_PER_MILLI = 1e6;

    /** What a cache holds of a key. */
    private record Entry(int version, long expiryMillis) {}

    /** An answer under way. */
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
            long asked = nowMillis();
            after(spec.sharedCacheMillis(), () -> atSharedCache(pastCaches, asked));
        }

        private void atSharedCache(boolean pastCaches, long asked) {
            Entry entry = sharedCache.get(key);
            if (!pastCaches && entry != null && entry.expiryMillis() > nowMillis()) {
                sharedHits++;
                after(spec.sharedCacheMillis(), () -> store(new Reply(entry, null), false, asked));
            } else {
                after(spec.originMillis(), () -> atOrigin(pastCaches, asked));
            }
        }

        private void atOrigin(boolean pastCaches, long asked) {
            int version = origin.version(key);
            long expiry = origin.read(key, nowMillis());
            Reply reply =
                    new Reply(
                            new Entry(version, expiry),
                            spec.mode().hasFilter() ? origin.filter(nowMillis()) : null);
            // Answers take longer than questions by chance, and so overtake each other.
            after(
                    spec.originMillis() * (0.5 + random.nextDouble()),
                    () -> {
                        if (spec.mode() != CachingSpec.Mode.NO_CACHES) {
                            sharedCache.put(key, reply.entry());
                        }
                        after(spec.sharedCacheMillis(), () -> store(reply, pastCaches, asked));
                    });
        }

        private void store(Reply reply, boolean isRevalidated, long asked) {
            if (spec.mode() != CachingSpec.Mode.NO_CACHES) {
                client.cache.put(key, reply.entry());
            }
            arrive(reply, isRevalidated, asked);
        }

        private void arrive(Reply reply, boolean isRevalidated, long asked) {
            int version = reply.entry().version();
            if (spec.mode().hasFilter()) {
                String name = origin.name(key);
                if (reply.filter() != null) {
                    client.session.refresh(reply.filter(), asked);
                }
                Verdict verdict = client.session.judge(name, version);
                if (isRevalidated) {
                    client.session.revalidated(name, version, asked);
                    // What the session has seen since it asked is newer than the answer.
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

    /** Lets the clients make so many reads; the same seed gives the same result. */
    public static CachingResult run(CachingSpec spec, long seed, long reads) {
        CachingModel model = new CachingModel(spec, seed);
        model.go(reads);
        return model.result();
    }

    /** The same, and what became of the times to live that were handed out. */
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
        return new CachingResult(
                reads,
                recordReads,
                clientHits,
                clientQueryHits,
                sharedHits,
                writes,
                invalidations,
                staleRecordReads,
                staleQueryReads,
                longestStaleMillis,
                tooStale,
                backwards,
                ownWritesMissed,
                revalidations,
                falseRevalidations,
                latencyNanos / NANOS_PER_MILLI / reads);
    }
}
