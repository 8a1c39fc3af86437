package io.kipimo.simulator.caching;

import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSession;
import io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.workload.Zipf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/**
 * Model of clients and caches. Each connection of each client reads or writes, waits for the answer, thinks, and
 * repeats. The shared cache and the client store an answer until its expiry, in the order of arrival. As in real
 * caches, an older answer that arrives later replaces a newer one. Clients fetch the filter by itself, as the caching
 * client does.
 *
 * <p>The staleness of a read is the time from the write that it missed to the beginning of the read, if that write was
 * applied before.
 */
public final class CachingModel {
    /** Start of virtual time, epoch milliseconds; not 0, because 0 means that a time is not set. */
    private static final long EPOCH_MILLIS = 1_000_000;

    private static final double NANOS_PER_MILLI = 1e6;

    /** Factor by which slow answers take longer. */
    private static final double SLOW = 100;

    /**
     * A cache's entry for a key.
     *
     * @param records versions of the records of a query's result, if clients keep them; empty for other entries
     * @param result key of the query with whose result the record came; {@code NONE}: the record was read by itself
     */
    private record SimulatedEntry(
            int version,
            long expiryMillis,
            long sharedExpiryMillis,
            long evaluatedMillis,
            Map<Integer, Integer> records,
            int result) {
        static final int NONE = -1;

        SimulatedEntry record(int recordVersion, int of) {
            return new SimulatedEntry(recordVersion, expiryMillis, sharedExpiryMillis, evaluatedMillis, Map.of(), of);
        }
    }

    /** An answer with the filter, and when the origin made it. */
    private record ServedFilter(FlatFilter filter, RecentKeys recent, long atMillis) {}

    private enum AnswerPlace {
        CLIENT,
        SHARED_CACHE,
        ORIGIN
    }

    private final class SimulatedClient {
        final FreshnessSession session = new FreshnessSession(spec.freshness());
        final Map<Integer, SimulatedEntry> cache = new HashMap<>();
        final Map<Integer, Integer> seen = new HashMap<>();
        final Map<Integer, Integer> written = new HashMap<>();
        final List<Runnable> waiting = new ArrayList<>();
        boolean isFetching;
        long nextFilterMillis;
        FlatFilter filter;

        /**
         * Fetches the filter, as the caching client does: only if there is a read, and once three quarters of Delta
         * have passed since the last filter.
         */
        void fetchFilter() {
            if (isFetching || nowMillis() < nextFilterMillis) {
                return;
            }
            isFetching = true;
            long askedMillis = nowMillis();
            double oneWay = spec.sharedCacheMillis() + spec.originMillis();
            after(oneWay, () -> {
                if (served == null || nowMillis() - served.atMillis() >= Math.max(1, spec.filterKeptMillis())) {
                    served = new ServedFilter(
                            origin.filter(nowMillis()),
                            spec.evaluationTimes() ? origin.recent(nowMillis()) : RecentKeys.NONE,
                            nowMillis());
                }
                ServedFilter answer = served;
                double bytes = wireBytes(answer);
                filterFetches++;
                filterBytes += bytes;
                long age = nowMillis() - answer.atMillis();
                after(oneWay + spec.linkMillis(bytes), () -> take(answer, askedMillis - age));
            });
        }

        private void take(ServedFilter answer, long takenMillis) {
            isFetching = false;
            filter = answer.filter();
            session.refresh(answer.filter(), answer.recent(), takenMillis);
            nextFilterMillis = takenMillis + spec.freshness().refreshMillis() * 3 / 4;
            List<Runnable> now = List.copyOf(waiting);
            waiting.clear();
            now.forEach(Runnable::run);
        }
    }

    private final class SimulatedRead {
        final SimulatedClient client;
        final int key;
        final long startMillis;
        final long startNanos;
        final int seenBefore;
        final int writtenBefore;
        boolean hasWaited;

        SimulatedRead(SimulatedClient client, int key) {
            this.client = client;
            this.key = key;
            startMillis = nowMillis();
            startNanos = engine.nowNanos();
            seenBefore = client.seen.getOrDefault(key, 0);
            writtenBefore = client.written.getOrDefault(key, 0);
        }

        void begin() {
            if (!spec.mode().hasFilter()) {
                ask(RequestWay.CACHED);
                return;
            }
            client.fetchFilter();
            RequestWay way = client.session.decide(origin.name(key), nowMillis());
            if (way == RequestWay.REVALIDATE_AND_REFRESH && client.isFetching && !hasWaited) {
                hasWaited = true;
                client.waiting.add(this::begin);
                return;
            }
            if ((way == RequestWay.PROVEN || way == RequestWay.REVALIDATE)
                    && client.filter.mightContain(origin.name(key))
                    && !origin.isStale(key, nowMillis())) {
                falselyStale++;
            }
            ask(way);
        }

        private void ask(RequestWay way) {
            SimulatedEntry own = client.cache.get(key);
            if (own != null
                    && own.expiryMillis() > nowMillis()
                    && isFresh(way, own)
                    && isCurrent(own)
                    && isNewEnough(own)) {
                clientHits++;
                clientQueryHits += origin.isQuery(key) ? 1 : 0;
                end(own.version(), AnswerPlace.CLIENT);
                return;
            }
            request(way);
        }

        private void request(RequestWay way) {
            long requestedMillis = nowMillis();
            boolean pastCaches = way != RequestWay.CACHED && way != RequestWay.PROVEN;
            revalidations += way == RequestWay.REVALIDATE ? 1 : 0;
            after(spec.sharedCacheMillis(), () -> atSharedCache(way, pastCaches, requestedMillis));
        }

        /** Handles a read at the shared cache. Requests for an entry that is on its way wait for it, as in Varnish. */
        private void atSharedCache(RequestWay way, boolean pastCaches, long requestedMillis) {
            SimulatedEntry entry = sharedCache.get(key);
            if (!pastCaches && entry != null && entry.sharedExpiryMillis() > nowMillis()) {
                after(spec.sharedCacheMillis(), () -> arrive(entry, way, true, requestedMillis));
                return;
            }
            List<Consumer<SimulatedEntry>> others = fetching.get(key);
            if (!pastCaches && spec.mode().hasSharedCache()) {
                if (others != null) {
                    others.add(fetched ->
                            after(spec.sharedCacheMillis(), () -> arrive(fetched, way, true, requestedMillis)));
                    return;
                }
                fetching.put(key, new ArrayList<>());
            }
            after(spec.originMillis(), () -> atOrigin(way, pastCaches, requestedMillis));
        }

        private void atOrigin(RequestWay way, boolean pastCaches, long requestedMillis) {
            originReads++;
            Map<Integer, Integer> records = new HashMap<>();
            if (spec.recordsOfResults() && spec.mode().hasClientCache() && origin.isQuery(key)) {
                for (int record : origin.recordsOf(key)) {
                    records.put(record, origin.version(record));
                }
            }
            long expiry = origin.read(key, nowMillis());
            SimulatedEntry entry = new SimulatedEntry(
                    origin.version(key),
                    expiry,
                    Math.max(expiry, nowMillis() + spec.sharedTtlMillis()),
                    nowMillis(),
                    records,
                    SimulatedEntry.NONE);
            // Travel times vary, so answers can overtake each other, and purges.
            double millis = spec.originMillis() * (0.5 + random.nextDouble());
            after(random.nextDouble() < spec.slowShare() ? SLOW * millis : millis, () -> {
                if (spec.mode().hasSharedCache()) {
                    sharedCache.put(key, entry);
                    if (!pastCaches) {
                        fetching.remove(key).forEach(other -> other.accept(entry));
                    }
                }
                after(spec.sharedCacheMillis(), () -> arrive(entry, way, false, requestedMillis));
            });
        }

        private void arrive(SimulatedEntry entry, RequestWay way, boolean isHit, long requestedMillis) {
            int version = entry.version();
            if (spec.mode().hasFilter()) {
                if (way == RequestWay.CACHED || way == RequestWay.PROVEN) {
                    // What expired on its way is in no filter any more.
                    boolean isOver = isHit && entry.sharedExpiryMillis() <= nowMillis();
                    if (isOver || !isFresh(way, entry) || !isNewEnough(entry)) {
                        request(RequestWay.REVALIDATE);
                        return;
                    }
                } else {
                    client.session.revalidated(origin.name(key), version, requestedMillis);
                    // The session may have seen a newer version since the request.
                    version = Math.max(version, client.seen.getOrDefault(key, 0));
                }
            }
            if (spec.mode().hasClientCache()) {
                client.cache.put(key, entry);
                entry.records()
                        .forEach((record, partVersion) -> client.cache.merge(
                                record,
                                entry.record(partVersion, key),
                                (own, other) -> newer(own, other) ? own : other));
            }
            sharedHits += isHit ? 1 : 0;
            end(version, isHit ? AnswerPlace.SHARED_CACHE : AnswerPlace.ORIGIN);
        }

        /**
         * Whether the client's own copy is to be kept. Of two copies with the same version, the one that lasts longer
         * is kept, as in the caching client.
         */
        private boolean newer(SimulatedEntry own, SimulatedEntry other) {
            return own.version() > other.version()
                    || (own.version() == other.version() && own.expiryMillis() >= other.expiryMillis());
        }

        /** Whether the result that a record came with has not changed since. */
        private boolean isCurrent(SimulatedEntry entry) {
            return entry.result() == SimulatedEntry.NONE
                    || !spec.mode().hasFilter()
                    || client.session.isCurrentIn(origin.name(entry.result()), entry.evaluatedMillis(), nowMillis());
        }

        private boolean isFresh(RequestWay way, SimulatedEntry entry) {
            return way == RequestWay.CACHED
                    || (way == RequestWay.PROVEN
                            && client.session.isProven(origin.name(key), entry.evaluatedMillis(), nowMillis()));
        }

        private boolean isNewEnough(SimulatedEntry entry) {
            return !spec.mode().hasFilter()
                    || client.session.judge(origin.name(key), entry.version()) == FreshnessVerdict.TAKE;
        }

        private void end(int version, AnswerPlace place) {
            reads++;
            endedAt[place.ordinal()]++;
            double took = engine.nowNanos() - startNanos;
            boolean isQuery = origin.isQuery(key);
            latencies.record(Math.round(took / 1e3));
            queryLatencyNanos += isQuery ? took : 0;
            placeLatencyNanos[place.ordinal()] += took;
            recordReads += isQuery ? 0 : 1;
            long superseded = origin.supersededMillis(key, version);
            if (superseded < startMillis) {
                staleQueryReads += isQuery ? 1 : 0;
                staleRecordReads += isQuery ? 0 : 1;
                long stale = startMillis - superseded;
                staleAges.record(1_000 * stale);
                double allowed =
                        isQuery ? spec.allowedStaleMillis() : spec.freshness().refreshMillis();
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
    private final Map<Integer, SimulatedEntry> sharedCache = new HashMap<>();
    private final Map<Integer, List<Consumer<SimulatedEntry>>> fetching = new HashMap<>();

    private long reads;
    private long recordReads;
    private long clientHits;
    private long clientQueryHits;
    private long sharedHits;
    private long originReads;
    private long writes;
    private long invalidations;
    private long staleRecordReads;
    private long staleQueryReads;
    private long tooStale;
    private long backwards;
    private long ownWritesMissed;
    private long revalidations;
    private ServedFilter served;
    private long falselyStale;
    private long filterFetches;
    private double filterBytes;
    private long wireBytesSecond = Long.MIN_VALUE;
    private double wireBytes;
    private double queryLatencyNanos;
    private final LatencySketch latencies = new LatencySketch();
    private final LatencySketch staleAges = new LatencySketch();
    private final long[] endedAt = new long[AnswerPlace.values().length];
    private final double[] placeLatencyNanos = new double[AnswerPlace.values().length];

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

    /** Runs the reads and returns the estimated and the true times to live. */
    public static List<TrueTtl> trueTtls(CachingSpec spec, long seed, long reads) {
        CachingModel model = new CachingModel(spec, seed);
        model.go(reads);
        return model.origin.trueTtls();
    }

    /**
     * Returns the size of an answer with the filter, compressed as far as the share of its bits allows. The size is
     * computed once a second, since counting bits takes longer than all else.
     */
    private double wireBytes(ServedFilter answer) {
        long second = nowMillis() / 1_000;
        if (second > wireBytesSecond) {
            wireBytesSecond = second;
            wireBytes = compressedBytes(answer.filter());
            for (RecentKeys.KeysWindow window : answer.recent().windows()) {
                wireBytes += compressedBytes(window.keys());
            }
        }
        return wireBytes;
    }

    /** Returns the compressed size of a filter, by the entropy of a bit. */
    private static double compressedBytes(FlatFilter filter) {
        double fill = filter.fill();
        double bits = fill == 0 || fill == 1 ? 0 : -fill * Math.log(fill) - (1 - fill) * Math.log1p(-fill);
        return filter.shape().bytes() * bits / Math.log(2);
    }

    private void go(long wanted) {
        for (int i = 0; i < spec.clients(); i++) {
            SimulatedClient client = new SimulatedClient();
            for (int j = 0; j < spec.connections(); j++) {
                think(client);
            }
        }
        while (reads < wanted) {
            engine.step();
        }
    }

    private void think(SimulatedClient client) {
        after(spec.thinkMillis() * random.nextExponential(), () -> operate(client));
    }

    private void operate(SimulatedClient client) {
        if (random.nextDouble() < spec.writeShare()) {
            write(client, recordPopularity.draw(random));
        } else if (random.nextDouble() < spec.queryShare()) {
            new SimulatedRead(client, spec.records() + queryPopularity.draw(random)).begin();
        } else {
            new SimulatedRead(client, recordPopularity.draw(random)).begin();
        }
    }

    private void write(SimulatedClient client, int record) {
        client.cache.remove(record);
        double oneWay = spec.sharedCacheMillis() + spec.originMillis();
        after(oneWay, () -> {
            int version = origin.write(record, nowMillis());
            invalidate(record);
            after(spec.detectionMillis(), () -> origin.queriesOf(record).forEach(this::invalidate));
            after(oneWay, () -> {
                writes++;
                client.session.wrote(origin.name(record), version, nowMillis());
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
                // Purges overtake each other, and some are lost.
                double millis = spec.purgeMillis() * random.nextExponential();
                if (random.nextDouble() >= spec.lostPurgeShare()) {
                    after(millis, () -> sharedCache.remove(key));
                }
            }
        }
    }

    private void after(double millis, Runnable event) {
        engine.schedule(engine.nowNanos() + (long) (millis * NANOS_PER_MILLI), ignored -> event.run(), 0);
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
                .originReads(originReads)
                .lengthMillis(engine.nowNanos() / NANOS_PER_MILLI)
                .writes(writes)
                .invalidations(invalidations)
                .staleRecordReads(staleRecordReads)
                .staleQueryReads(staleQueryReads)
                .longestStaleMillis(staleAges.maximumMicros() / 1e3)
                .p99StaleMillis(staleAges.quantileMicros(0.99) / 1e3)
                .tooStale(tooStale)
                .backwards(backwards)
                .ownWritesMissed(ownWritesMissed)
                .revalidations(revalidations)
                .falselyStale(falselyStale)
                .filterFetches(filterFetches)
                .filterBytes(filterBytes)
                .meanLatencyMillis(latencies.meanMicros() / 1e3)
                .medianLatencyMillis(latencies.quantileMicros(0.5) / 1e3)
                .p99LatencyMillis(latencies.quantileMicros(0.99) / 1e3)
                .meanRecordLatencyMillis(
                        mean(DoubleStream.of(placeLatencyNanos).sum() - queryLatencyNanos, recordReads))
                .meanQueryLatencyMillis(mean(queryLatencyNanos, reads - recordReads))
                .meanSharedLatencyMillis(meanAt(AnswerPlace.SHARED_CACHE))
                .meanOriginLatencyMillis(meanAt(AnswerPlace.ORIGIN))
                .build();
    }

    private double meanAt(AnswerPlace place) {
        return mean(placeLatencyNanos[place.ordinal()], endedAt[place.ordinal()]);
    }

    private static double mean(double nanos, long number) {
        return number == 0 ? 0 : nanos / NANOS_PER_MILLI / number;
    }
}
