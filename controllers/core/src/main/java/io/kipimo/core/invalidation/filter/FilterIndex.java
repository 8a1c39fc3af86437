package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the filters that select a document, without testing all of them. The result is the one that
 * {@link Filter#matches} would give for each filter. Filters are identified by numbers, their slots. Mutable, for one
 * thread.
 */
public final class FilterIndex {
    private static final Anchor[] NO_ANCHORS = new Anchor[0];

    private final Map<Path, PathIndex> paths = new HashMap<>();
    private final Map<String, List<PathIndex>> byFirst = new HashMap<>();
    private final List<PathIndex> looksForNull = new ArrayList<>();
    private final SlotList scanned = new SlotList();
    private final SlotList selected = new SlotList();
    private final SlotList undecided = new SlotList();
    private final Effort effort = new Effort(Effort.MOST_A_DOCUMENT);
    private Filter[] filters = new Filter[16];
    private Anchor[][] anchors = new Anchor[16][];
    // Whether the anchors are equivalent to the filter, so that it needs no test.
    private boolean[] isExact = new boolean[16];
    private long[] seenIn = new long[16];
    private int size;
    private long pass;
    private Document document = Document.EMPTY;
    private long tests;

    /** Number of filters. */
    public int size() {
        return size;
    }

    /** Number of filters without anchors, which are tested with every document. */
    public int scanned() {
        return scanned.size();
    }

    /** Number of tests of a filter against a document so far: the cost of matching. */
    public long tests() {
        return tests;
    }

    /** Whether a filter has an {@link Anchor}. A filter without anchors is tested with every document. */
    public static boolean canLookUp(Filter filter) {
        return Anchors.choose(filter, anchor -> 1).isPresent();
    }

    /**
     * @param slot an unused number from 0; small numbers save space
     * @throws IllegalArgumentException if the number is in use
     */
    public void add(int slot, Filter filter) {
        if (slot < filters.length && filters[slot] != null) {
            throw new IllegalArgumentException(
                    "slot " + slot + " holds " + filters[slot].key() + "; allowed: a free one");
        }
        grow(slot);
        filters[slot] = filter;
        anchors[slot] = Anchors.choose(filter, this::crowd)
                .map(chosen -> chosen.toArray(NO_ANCHORS))
                .orElse(null);
        isExact[slot] = anchors[slot] != null && isLookedUpEntirely(filter);
        size++;
        if (anchors[slot] == null) {
            scanned.add(slot);
            return;
        }
        for (Anchor anchor : anchors[slot]) {
            file(anchor, slot);
        }
    }

    /** @throws IllegalArgumentException if no filter has the number */
    public void remove(int slot) {
        if (slot >= filters.length || filters[slot] == null) {
            throw new IllegalArgumentException("slot " + slot + " holds no filter");
        }
        if (anchors[slot] == null) {
            scanned.remove(slot);
        } else {
            for (Anchor anchor : anchors[slot]) {
                unfile(anchor, slot);
            }
        }
        filters[slot] = null;
        anchors[slot] = null;
        size--;
    }

    /**
     * Finds the filters that select the document. Until the next call {@link #selected(int)} returns them, and
     * {@link #undecided(int)} the filters with an unknown result.
     *
     * @return number of selected filters
     */
    public int select(Document image) {
        document = image;
        pass++;
        selected.clear();
        undecided.clear();
        effort.begin();
        try {
            find(image);
        } catch (UndecidedException e) {
            for (int slot = 0; slot < filters.length; slot++) {
                if (filters[slot] != null && seenIn[slot] != pass) {
                    undecided.add(slot);
                }
            }
        }
        return selected.size();
    }

    private void find(Document image) {
        for (int i = 0; i < image.size(); i++) {
            List<PathIndex> below = byFirst.get(image.name(i));
            if (below != null) {
                for (int p = 0; p < below.size(); p++) {
                    below.get(p).find(image, effort);
                }
            }
        }
        for (int p = 0; p < looksForNull.size(); p++) {
            if (image.get(looksForNull.get(p).path().first()) == null) {
                looksForNull.get(p).findMissing();
            }
        }
        for (int i = 0; i < scanned.size(); i++) {
            consider(scanned.get(i));
        }
    }

    /** Number of one of the filters that the last {@link #select} found. */
    public int selected(int index) {
        return selected.get(index);
    }

    /** Number of filters that the last {@link #select} left undecided. */
    public int undecided() {
        return undecided.size();
    }

    /** Number of one of the filters that the last {@link #select} left undecided. */
    public int undecided(int index) {
        return undecided.get(index);
    }

    private void consider(int slot) {
        if (seenIn[slot] == pass) {
            return;
        }
        seenIn[slot] = pass;
        if (isExact[slot] || isSelecting(slot)) {
            selected.add(slot);
        }
    }

    private boolean isSelecting(int slot) {
        tests++;
        effort.beginFilter();
        try {
            return filters[slot].matches(document, effort);
        } catch (UndecidedException e) {
            undecided.add(slot);
            return false;
        } finally {
            effort.endFilter();
        }
    }

    private void file(Anchor anchor, int slot) {
        PathIndex index = paths.get(anchor.path());
        if (index == null) {
            index = new PathIndex(anchor.path(), this::consider);
            paths.put(anchor.path(), index);
            byFirst.computeIfAbsent(anchor.path().first(), first -> new ArrayList<>())
                    .add(index);
        }
        boolean lookedForNull = index.looksForNull();
        index.add(anchor, slot);
        if (!lookedForNull && index.looksForNull()) {
            looksForNull.add(index);
        }
    }

    private void unfile(Anchor anchor, int slot) {
        PathIndex index = paths.get(anchor.path());
        boolean lookedForNull = index.looksForNull();
        index.remove(anchor, slot);
        if (lookedForNull && !index.looksForNull()) {
            looksForNull.remove(index);
        }
        if (index.isEmpty()) {
            paths.remove(anchor.path());
            List<PathIndex> below = byFirst.get(anchor.path().first());
            below.remove(index);
            if (below.isEmpty()) {
                byFirst.remove(anchor.path().first());
            }
        }
    }

    /**
     * Estimates how many other filters are tested together with a filter at this anchor. For an equality these are the
     * filters with the same key (more for booleans and null, which many documents have). For a range these are the
     * filters whose ranges overlap it.
     */
    private long crowd(Anchor anchor) {
        PathIndex index = paths.get(anchor.path());
        if (anchor instanceof Anchor.Equal equal) {
            int same = index == null ? 0 : index.equalTo(equal.key());
            BsonType type = equal.key().type();
            boolean isCommon = type == BsonType.BOOL || type == BsonType.NULL;
            return isCommon ? 4L + same : same;
        }
        Anchor.RangeAnchor range = (Anchor.RangeAnchor) anchor;
        int all = index == null ? 0 : index.rangesOf(range.bracket());
        boolean isHalf = range.from() == Long.MIN_VALUE || range.to() == Long.MAX_VALUE;
        return 8L + (isHalf ? 1 + all / 2 : all / 16);
    }

    private static boolean isLookedUpEntirely(Filter filter) {
        if (filter instanceof Filter.At at) {
            return at.condition() instanceof Condition.Compares c
                    ? c.comparison() == Condition.ComparisonOperator.EQUAL
                    : at.condition() instanceof Condition.IsIn in
                            && in.regexes().isEmpty();
        }
        return filter instanceof Filter.Any any && any.parts().stream().allMatch(FilterIndex::isLookedUpEntirely);
    }

    private void grow(int slot) {
        if (slot >= filters.length) {
            int capacity = Math.max(slot + 1, filters.length + (filters.length >> 1));
            filters = Arrays.copyOf(filters, capacity);
            anchors = Arrays.copyOf(anchors, capacity);
            isExact = Arrays.copyOf(isExact, capacity);
            seenIn = Arrays.copyOf(seenIn, capacity);
        }
        seenIn[slot] = -1;
    }
}
