package io.kipimo.caching.filter;

import io.kipimo.core.sampling.XxHash64;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.http.Reply;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.internal.exposition.Exposition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers HTTP requests for the filter of stale keys, which is the union of all tables' filters, most significant bit
 * first.
 *
 * <p>A client that sends the ETag of the present content gets status 304. The body is compressed if the client accepts
 * gzip and the body becomes smaller. Clients that accept {@link CachingClient#FILTER_WITH_WINDOWS} also get the keys
 * that became stale lately, see {@link RecentKeys}. A header gives the age of the answer, which clients take into
 * account.
 *
 * <p>All clients share one read of the tables' stores for a given time. While a store is unavailable, or has lost keys
 * that caches may hold, the status is 503, and clients then revalidate everything. Thread-safe.
 */
public final class FilterPublisher {
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final Reply UNAVAILABLE_NOW =
            new Reply(503, Map.of("Retry-After", "1", "Cache-Control", "no-store"), new byte[0]);

    private static final Logger LOG = LoggerFactory.getLogger(FilterPublisher.class);

    private record Body(byte[] plain, byte[] gzip, String etag) {}

    private record TakenBodies(RecentKeys recent, Body alone, Body all, long atMillis) {}

    private final FilterShape shape;
    private final List<StaleKeys> tables;
    private final long keptMillis;
    private final LongSupplier nowMillis;
    private final LongAdder served = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private TakenBodies taken;

    /** Time from which no cache can hold lost keys any more, epoch milliseconds; until then there is no filter. */
    private volatile long wholeFromMillis = Long.MIN_VALUE;

    /**
     * @param shape shape of every table's filter
     * @param keptMillis greatest age of an answer before stores are read again, at least 0
     * @param nowMillis the present time, epoch milliseconds, by the clock of those that report reads and changes
     */
    public FilterPublisher(FilterShape shape, List<StaleKeys> tables, long keptMillis, LongSupplier nowMillis) {
        this.shape = shape;
        this.tables = List.copyOf(tables);
        this.keptMillis = keptMillis;
        this.nowMillis = nowMillis;
    }

    /**
     * @param ifNoneMatch header of the request; empty if it has none
     * @param acceptEncoding header of the request; empty if it has none
     */
    public Reply reply(String ifNoneMatch, String acceptEncoding) {
        return reply(ifNoneMatch, acceptEncoding, "");
    }

    /**
     * @param ifNoneMatch header of the request; empty if it has none
     * @param acceptEncoding header of the request; empty if it has none
     * @param accept header of the request; empty if it has none
     */
    public Reply reply(String ifNoneMatch, String acceptEncoding, String accept) {
        TakenBodies now;
        try {
            now = current();
        } catch (RuntimeException e) {
            unavailable.increment();
            return UNAVAILABLE_NOW;
        }
        if (now == null) {
            lost.increment();
            return UNAVAILABLE_NOW;
        }
        served.increment();
        Map<String, String> headers = new LinkedHashMap<>();
        boolean takesWindows = accept.contains(CachingClient.FILTER_WITH_WINDOWS);
        Body body = takesWindows ? now.all() : now.alone();
        headers.put("ETag", body.etag());
        headers.put("Cache-Control", "no-store");
        headers.put("Vary", "Accept, Accept-Encoding");
        headers.put(CachingClient.FILTER_HASHES, String.valueOf(shape.hashes()));
        headers.put(
                CachingClient.FILTER_AGE_MILLIS, String.valueOf(Math.max(0, nowMillis.getAsLong() - now.atMillis())));
        if (takesWindows) {
            headers.put(
                    CachingClient.FILTER_WINDOWS,
                    now.recent().windows().stream()
                            .map(window -> String.valueOf(window.sinceMillis()))
                            .collect(Collectors.joining(", ")));
        }
        if (ifNoneMatch.contains(body.etag())) {
            return new Reply(NOT_MODIFIED, headers, new byte[0]);
        }
        headers.put("Content-Type", takesWindows ? CachingClient.FILTER_WITH_WINDOWS : "application/octet-stream");
        boolean takesGzip = acceptEncoding.toLowerCase(Locale.ROOT).contains("gzip");
        if (takesGzip && body.gzip().length < body.plain().length) {
            headers.put("Content-Encoding", "gzip");
            return new Reply(OK, headers, body.gzip());
        }
        return new Reply(OK, headers, body.plain());
    }

    /** Counts of the answers, as a page of metrics. */
    String metrics() {
        Exposition page = new Exposition();
        Map.of("served", served.sum(), "unavailable", unavailable.sum(), "lost", lost.sum())
                .forEach((result, count) -> page.counter(
                        "kipimo_filter_answers_total", "Requests for the filter.", count, "result", result));
        long left = Math.max(0, wholeFromMillis - nowMillis.getAsLong());
        return page.gauge(
                        "kipimo_filter_lost_seconds",
                        "Time until the filter is whole again: a store has lost stale keys. 0: it is whole.",
                        left / 1e3)
                .toString();
    }

    /** Returns the present content; null if a store has lost keys. */
    private synchronized TakenBodies current() {
        long now = nowMillis.getAsLong();
        if (taken == null || now - taken.atMillis() >= keptMillis) {
            FlatFilter filter = FlatFilter.union(
                    shape, tables.stream().map(t -> t.flat(now)).toList());
            RecentKeys recent = tables.stream()
                    .map(t -> t.recent(now))
                    .reduce(RecentKeys::union)
                    .orElse(RecentKeys.NONE);
            // After the keys: a store that was emptied meanwhile says so.
            long from =
                    tables.stream().mapToLong(t -> t.wholeFromMillis(now)).max().orElse(Long.MIN_VALUE);
            if (from > now && wholeFromMillis <= now) {
                LOG.error(
                        "a store of stale keys is new, or has lost them: there is no filter for {} s, and clients"
                                + " revalidate every read",
                        (from - now) / 1_000);
            }
            wholeFromMillis = from;
            if (from > now) {
                taken = null;
                return null;
            }
            byte[] alone = filter.toBytes();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(alone);
            recent.windows().stream()
                    .skip(1)
                    .forEach(w -> all.writeBytes(w.keys().toBytes()));
            taken = new TakenBodies(
                    recent,
                    body(alone, taken == null ? null : taken.alone()),
                    body(all.toByteArray(), taken == null ? null : taken.all()),
                    now);
        }
        return taken;
    }

    private static Body body(byte[] plain, Body before) {
        if (before != null && Arrays.equals(before.plain(), plain)) {
            return before;
        }
        // A weak ETag, because both encodings share it.
        String etag = "W/\"" + Long.toHexString(XxHash64.hash(plain, 0)) + '"';
        return new Body(plain, gzip(plain), etag);
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
