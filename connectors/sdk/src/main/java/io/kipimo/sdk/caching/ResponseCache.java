package io.kipimo.sdk.caching;

import io.kipimo.sdk.internal.http.CacheControl;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * A client's own responses, by address and variant (RFC 9111, sec. 4). The least recently used addresses are dropped
 * first. Not thread-safe.
 */
final class ResponseCache {
    /** Greatest number of variants of one address; a further one displaces the oldest. */
    private static final int MOST_VARIANTS = 16;

    /**
     * @param key key of the record or query in the filter of stale keys and in versions
     * @param selecting headers of the request that select this variant
     * @param evaluatedMillis time of the evaluation as the origin states it, epoch milliseconds; 0: not known
     * @param resultKey key of the query result that contained the record; empty: the entry is an answer of its own
     */
    record CachedEntry(
            int status,
            byte[] body,
            HttpHeaders headers,
            String key,
            SortedMap<String, String> selecting,
            long version,
            long evaluatedMillis,
            long freshUntilMillis,
            String resultKey) {
        boolean isOfResult() {
            return !resultKey.isEmpty();
        }

        String etag() {
            return headers.firstValue("etag").orElse("");
        }

        private boolean isFor(HttpHeaders request) {
            return !selecting.containsKey(Variants.ANY)
                    && selecting.equals(Variants.selecting(headers.allValues("vary"), request));
        }
    }

    private final int most;
    private final LinkedHashMap<String, List<CachedEntry>> byAddress = new LinkedHashMap<>(16, 0.75f, true);
    private int size;

    ResponseCache(int most) {
        this.most = most;
    }

    /** The address without its fragment; host and scheme in small letters. */
    static String name(URI address) {
        return (address.getScheme() + "://" + address.getRawAuthority()).toLowerCase(Locale.ROOT)
                + address.getRawPath()
                + (address.getRawQuery() == null ? "" : '?' + address.getRawQuery());
    }

    Optional<CachedEntry> find(String address, HttpHeaders request) {
        return byAddress.getOrDefault(address, List.of()).stream()
                .filter(entry -> entry.isFor(request))
                .findFirst();
    }

    /**
     * Whether a shared cache may hold an answer to another request for an address: the address's answers vary and do
     * not name their variant, or they were for a user and may be kept by caches that do not tell users apart.
     */
    boolean isVariantUnshown(String address) {
        return byAddress.getOrDefault(address, List.of()).stream()
                .anyMatch(entry -> (!entry.isOfResult()
                                && !Variants.isShown(entry.headers()::allValues, name -> Stream.ofNullable(
                                                entry.selecting().get(name))
                                        .toList()))
                        || (entry.selecting().keySet().stream().anyMatch(Variants::isOfTheUser)
                                && !CacheControl.isForEverybody(entry.headers())));
    }

    /** Stores an entry in place of the entry for an equal request. */
    void put(String address, HttpHeaders request, CachedEntry entry) {
        remove(address, request);
        List<CachedEntry> variants = byAddress.computeIfAbsent(address, a -> new ArrayList<>());
        variants.add(0, entry);
        size++;
        if (variants.size() > MOST_VARIANTS) {
            variants.remove(MOST_VARIANTS);
            size--;
        }
        Iterator<List<CachedEntry>> oldest = byAddress.values().iterator();
        while (size > most) {
            List<CachedEntry> dropped = oldest.next();
            if (dropped == variants) {
                dropped.remove(dropped.size() - 1);
                size--;
            } else {
                size -= dropped.size();
                oldest.remove();
            }
        }
    }

    /** Stores a record of a result, unless there is a newer copy. */
    void putOfResult(String address, HttpHeaders request, CachedEntry entry) {
        Comparator<CachedEntry> newer =
                Comparator.comparingLong(CachedEntry::version).thenComparingLong(CachedEntry::freshUntilMillis);
        if (find(address, request).filter(own -> newer.compare(own, entry) >= 0).isEmpty()) {
            put(address, request, entry);
        }
    }

    void remove(String address, HttpHeaders request) {
        List<CachedEntry> variants = byAddress.get(address);
        if (variants != null) {
            size -= variants.size();
            variants.removeIf(entry -> entry.isFor(request));
            size += variants.size();
            if (variants.isEmpty()) {
                byAddress.remove(address);
            }
        }
    }

    /** Removes all variants of all addresses with that key. */
    void removeKey(String key) {
        byAddress.values().removeIf(variants -> variants.get(0).key().equals(key));
        size = byAddress.values().stream().mapToInt(List::size).sum();
    }

    void clear() {
        byAddress.clear();
        size = 0;
    }
}
