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
 * @param keys filter of the keys that may be stale
 * @param older filters of all windows except the first, which has no keys
 */
record ReceivedFilter(FlatFilter keys, List<FlatFilter> older) {
    static final int MOST_WINDOWS = 64;

    /**
     * @param hashes number of hash positions of each key
     * @param bytes bytes of the filter, then of each window except the first
     * @param since beginnings of the windows, epoch milliseconds
     * @throws IllegalArgumentException if the bytes are damaged or are not a filter
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

    /** The windows, with new beginnings; none if there are more or fewer beginnings than windows. */
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
     * Reads the beginnings of windows, epoch milliseconds, from the lines of header
     * {@link CachingClient#FILTER_WINDOWS}.
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
