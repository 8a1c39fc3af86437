package io.kipimo.caching.filter;

import io.kipimo.core.hash.XxHash64;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.http.Reply;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.internal.exposition.Exposition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;

/**
 * Answers requests for the filter with the bytes of the union, most significant bit first. An ETag
 * of the content lets clients that have it get 304, and the body is compressed if that makes it
 * smaller and the client accepts gzip. The tables' stores are read at most once in a given time,
 * for any number of clients. A header gives the age of the answer, which clients take into account.
 * While a store is unavailable the answer is 503, and clients then revalidate everything.
 * Thread-safe.
 */
public final class FilterPublisher {
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int UNAVAILABLE = 503;

    private record Taken(
            FlatFilter filter, byte[] plain, byte[] gzip, String etag, long atMillis) {}

    private final FilterShape shape;
    private final List<StaleKeys> tables;
    private final long keptMillis;
    private final LongSupplier nowMillis;
    private final LongAdder served = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private Taken taken;

    /**
     * @param shape shape of every table's filter
     * @param keptMillis greatest age of an answer before stores are read again, at least 0
     * @param nowMillis epoch milliseconds, by the clock of the reporters of reads and changes
     */
    public FilterPublisher(
            FilterShape shape, List<StaleKeys> tables, long keptMillis, LongSupplier nowMillis) {
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
        Taken now;
        try {
            now = current();
        } catch (RuntimeException e) {
            unavailable.increment();
            return new Reply(
                    UNAVAILABLE,
                    Map.of("Retry-After", "1", "Cache-Control", "no-store"),
                    new byte[0]);
        }
        served.increment();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ETag", now.etag());
        headers.put("Cache-Control", "no-store");
        headers.put("Vary", "Accept-Encoding");
        headers.put(CachingClient.FILTER_HASHES, String.valueOf(shape.hashes()));
        headers.put(
                CachingClient.FILTER_AGE_MILLIS,
                String.valueOf(Math.max(0, nowMillis.getAsLong() - now.atMillis())));
        if (ifNoneMatch.contains(now.etag())) {
            return new Reply(NOT_MODIFIED, headers, new byte[0]);
        }
        headers.put("Content-Type", "application/octet-stream");
        boolean takesGzip = acceptEncoding.toLowerCase(Locale.ROOT).contains("gzip");
        if (takesGzip && now.gzip().length < now.plain().length) {
            headers.put("Content-Encoding", "gzip");
            return new Reply(OK, headers, now.gzip());
        }
        return new Reply(OK, headers, now.plain());
    }

    /** Counts of the answers, as a page of metrics. */
    String metrics() {
        Exposition page = new Exposition();
        Map.of("served", served.sum(), "unavailable", unavailable.sum())
                .forEach(
                        (result, count) ->
                                page.counter(
                                        "kipimo_filter_answers_total",
                                        "Requests for the filter.",
                                        count,
                                        "result",
                                        result));
        return page.toString();
    }

    private synchronized Taken current() {
        long now = nowMillis.getAsLong();
        if (taken == null || now - taken.atMillis() >= keptMillis) {
            FlatFilter filter =
                    FlatFilter.union(shape, tables.stream().map(t -> t.flat(now)).toList());
            taken =
                    taken != null && filter.equals(taken.filter())
                            ? new Taken(filter, taken.plain(), taken.gzip(), taken.etag(), now)
                            : taken(filter, now);
        }
        return taken;
    }

    private static Taken taken(FlatFilter filter, long now) {
        byte[] plain = filter.toBytes();
        // A weak ETag, because both encodings share it.
        String etag = "W/\"" + Long.toHexString(XxHash64.hash(plain, 0)) + '"';
        return new Taken(filter, plain, gzip(plain), etag, now);
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
