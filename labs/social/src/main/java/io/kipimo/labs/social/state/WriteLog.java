package io.kipimo.labs.social.state;

import io.kipimo.labs.social.store.WrittenItems;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The log of writes for repair. It contains each written item once, so the number of items bounds it. The initial state
 * of an item follows from the graph. Thread-safe.
 */
public final class WriteLog implements WrittenItems {
    /** Beyond this size, loading again is about as fast. */
    private static final int MOST = 2_000_000;

    private record LoggedComment(long resource, long comment) {}

    private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
    private final Set<LoggedComment> comments = ConcurrentHashMap.newKeySet();
    private volatile boolean overflown;

    /** Call before a write changes the relation of two members. */
    public void pair(int one, int other) {
        if (hasRoom()) {
            pairs.add(pairKey(one, other));
        }
    }

    /** Call before a write adds or deletes a comment. */
    public void comment(long resource, long comment) {
        if (hasRoom()) {
            comments.add(new LoggedComment(resource, comment));
        }
    }

    private boolean hasRoom() {
        if (!overflown && pairs.size() + comments.size() >= MOST) {
            overflown = true;
        }
        return !overflown;
    }

    /** Whether some writes are missing because there were too many. */
    public boolean isOverflown() {
        return overflown;
    }

    /** Number of distinct written items. */
    public int size() {
        return pairs.size() + comments.size();
    }

    @Override
    public void forEachPair(PairAction action) {
        pairs.forEach(key -> action.on((int) (key >>> 32), key.intValue()));
    }

    @Override
    public void forEachComment(CommentAction action) {
        comments.forEach(comment -> action.on(comment.resource(), comment.comment()));
    }

    /** Equal for (a, b) and (b, a). */
    public static long pairKey(int one, int other) {
        return ((long) Math.min(one, other) << 32) | Math.max(one, other);
    }
}
