package io.kipimo.core.stale;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Collects the versions that the origin showed for one key, and the copies of the key that caches hold. For one thread;
 * all times are of one clock, milliseconds.
 *
 * <p>The origin's answers bound what it held at a time. A version that an answer shows was written before the answer
 * ended. A version that an answer does not show yet was written after the answer began.
 */
final class KeyTruth {
    /**
     * Result of judging a read: whether it shows the newest version that was written at least some time before the
     * read.
     */
    public enum Freshness {
        FRESH,
        STALE,
        /** The origin's answers prove neither, or contradict each other. */
        UNKNOWN,
        /** No version is known that the read had to show. So the read says nothing about the caches. */
        UNTESTED
    }

    private record ShownVersion(long version, long beginMillis, long endMillis) {}

    /**
     * Limit of the origin's answers that are kept. They are enough for the looks after two writes, and older answers
     * prove less.
     */
    private static final int MOST_ANSWERS = 16;

    private static final int MOST_COPIES = 4;

    private final Deque<ShownVersion> origin = new ArrayDeque<>();

    /** Latest time until which a copy may be used, by version. */
    private final TreeMap<Long, Long> copies = new TreeMap<>();

    /** Records an answer that came from the origin itself, past all caches. */
    public void origin(long version, long beginMillis, long endMillis) {
        origin.addLast(new ShownVersion(version, beginMillis, endMillis));
        if (origin.size() > MOST_ANSWERS) {
            origin.removeFirst();
        }
    }

    /** Records that some cache holds a version, and may serve it until a time. */
    public void copy(long version, long usableUntilMillis) {
        copies.merge(version, usableUntilMillis, Math::max);
        if (copies.size() > MOST_COPIES) {
            copies.pollFirstEntry();
        }
    }

    /** The oldest replaced version of which a copy may still be used. */
    public OptionalLong replacedCopy(long nowMillis) {
        long newest = origin.stream().mapToLong(ShownVersion::version).max().orElse(Long.MIN_VALUE);
        return copies.headMap(newest, false).entrySet().stream()
                .filter(copy -> copy.getValue() > nowMillis)
                .mapToLong(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * Judges a read. It returns FRESH or STALE only with a proof, for any order of writes.
     *
     * @param version that it showed
     * @param beginMillis when it began
     * @param withinMillis a read must show what was written at least this long before
     */
    public Freshness judge(long version, long beginMillis, long withinMillis) {
        long needed = beginMillis - withinMillis;
        boolean isTested = false;
        boolean isStale = false;
        boolean isFresh = false;
        for (ShownVersion answer : origin) {
            boolean wasThere = answer.endMillis() <= needed;
            isTested |= wasThere;
            isStale |= wasThere && answer.version() > version;
            isFresh |= answer.beginMillis() > needed && answer.version() <= version;
        }
        if (!isTested) {
            return Freshness.UNTESTED;
        }
        return isStale == isFresh ? Freshness.UNKNOWN : isStale ? Freshness.STALE : Freshness.FRESH;
    }
}
