package io.kipimo.sdk.caching;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.sdk.internal.http.FieldList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A filter as it was received.
 *
 * @param keys may be stale
 * @param older the windows but the first, which has no keys
 */
record ReceivedFilter(FlatFilter keys, List<FlatFilter> older) {
    static final int MOST_WINDOWS = 64;

    /**
     * @param hashes positions a key
     * @param bytes of the filter, then of each window but the first
     * @param since when each window begins
     * @throws IllegalArgumentException if it is damaged, or no filter at all
     */
    static ReceivedFilter of(long hashes, byte[] bytes, List<Long> since) {
        int parts = Math.max(1, since.size());
        if (bytes.length % parts != 0) {
            throw new IllegalArgumentException("filter has " + bytes.length + " bytes; allowed: multiples of " + parts);
        }
        int length = bytes.length / parts;
        FilterShape shape = new FilterShape(length * Byte.SIZE, (int) Math.min(Integer.MAX_VALUE, hashes));
        List<FlatFilter> all = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += length) {
            all.add(FlatFilter.of(shape, Arrays.copyOfRange(bytes, from, from + length)));
        }
        return new ReceivedFilter(all.get(0), List.copyOf(all.subList(1, all.size())));
    }

    /** The windows, which begin at the given times now; none if their number is another. */
    RecentKeys recent(List<Long> since) {
        if (since.size() != older.size() + 1) {
            return RecentKeys.NONE;
        }
        List<RecentKeys.KeysWindow> all = new ArrayList<>();
        all.add(new RecentKeys.KeysWindow(since.get(0), FlatFilter.empty(keys.shape())));
        for (int i = 1; i < since.size(); i++) {
            all.add(new RecentKeys.KeysWindow(since.get(i), older.get(i - 1)));
        }
        return new RecentKeys(all);
    }

    /**
     * The beginnings of windows, epoch milliseconds, in lines of header {@link CachingClient#FILTER_WINDOWS}.
     *
     * @throws IllegalArgumentException if they are no numbers, too many, or not the newest first
     */
    static List<Long> since(List<String> lines) {
        List<String> members = FieldList.of(lines).members();
        if (members.size() > MOST_WINDOWS) {
            throw new IllegalArgumentException("%s has %s windows; allowed: at most %s"
                    .formatted(CachingClient.FILTER_WINDOWS, members.size(), MOST_WINDOWS));
        }
        List<Long> since = members.stream().map(Long::valueOf).toList();
        for (int i = 1; i < since.size(); i++) {
            if (since.get(i) > since.get(i - 1)) {
                throw new IllegalArgumentException(
                        CachingClient.FILTER_WINDOWS + " are " + members + "; allowed: the newest first");
            }
        }
        return since;
    }
}
