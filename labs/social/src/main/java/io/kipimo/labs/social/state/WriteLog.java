package io.kipimo.labs.social.state;

import io.kipimo.labs.social.store.WrittenItems;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The log of writes for repair. It contains each written item once, so the number of items bounds it. The initial state
 * of an item follows from the graph. Thread-safe.
 */
public final class WriteLog implements WrittenItems {
    /** Limit of the log's size. Beyond it, loading the store again is about as fast as repair. */
    private static final int MOST = 2_000_000;

    private record LoggedComment(long resource, long comment) {}

    private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
    private final Set<LoggedComment> comments = ConcurrentHashMap.newKeySet();
    private volatile boolean overflown;

    /** Adds two members to the log. To be called before a write changes their relation. */
    public void pair(int one, int other) {
        if (hasRoom()) {
            pairs.add(pairKey(one, other));
        }
    }

    /** Adds a comment to the log. To be called before a write adds or deletes it. */
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

    /** Returns whether some writes are missing because there were too many. */
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

    /** Key of a pair of members; (a, b) and (b, a) have one key. */
    public static long pairKey(int one, int other) {
        return ((long) Math.min(one, other) << 32) | Math.max(one, other);
    }
}
