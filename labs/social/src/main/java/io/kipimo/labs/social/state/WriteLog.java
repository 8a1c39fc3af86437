package io.kipimo.labs.social.state;

import io.kipimo.labs.social.store.WrittenItems;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The log of the writes that repair undoes: what has been written, each item once however often, so
 * that it is bounded by the items. What an item was at first follows from the graph. For many
 * threads.
 */
public final class WriteLog implements WrittenItems {
    /** Beyond these, reloading is hardly slower. */
    private static final int MOST = 2_000_000;

    private record Comment(long resource, long comment) {}

    private final Set<Long> pairs = ConcurrentHashMap.newKeySet();
    private final Set<Comment> comments = ConcurrentHashMap.newKeySet();
    private volatile boolean overflown;

    /** Two members are about to change how they stand to each other. */
    public void pair(int one, int other) {
        if (hasRoom()) {
            pairs.add(pairKey(one, other));
        }
    }

    /** A comment is about to come or go. */
    public void comment(long resource, long comment) {
        if (hasRoom()) {
            comments.add(new Comment(resource, comment));
        }
    }

    private boolean hasRoom() {
        if (!overflown && pairs.size() + comments.size() >= MOST) {
            overflown = true;
        }
        return !overflown;
    }

    /** Whether some writes are missing, since there were too many. */
    public boolean isOverflown() {
        return overflown;
    }

    /** Distinct items that were written. */
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

    /** The same for (a, b) and (b, a). */
    public static long pairKey(int one, int other) {
        return ((long) Math.min(one, other) << 32) | Math.max(one, other);
    }
}
