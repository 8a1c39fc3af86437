package io.kipimo.core.invalidation.index;

import io.kipimo.core.invalidation.document.BsonType;
import io.kipimo.core.invalidation.document.Document;
import io.kipimo.core.invalidation.filter.Condition;
import io.kipimo.core.invalidation.filter.Effort;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.filter.Path;
import io.kipimo.core.invalidation.filter.UndecidedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Filters by number, and which of them select a document: exactly those that {@link Filter#matches}
 * it, found without testing all. Mutable, for one thread.
 */
public final class FilterIndex {
    // Filed where it is found by its number, or tested with every document.
    private static final Anchor[] SCANNED = new Anchor[0];

    private final Map<Path, PathIndex> paths = new HashMap<>();
    private final Map<String, List<PathIndex>> byFirst = new HashMap<>();
    private final List<PathIndex> looksForNull = new ArrayList<>();
    private final SlotList scanned = new SlotList();
    private final SlotList selected = new SlotList();
    private final SlotList undecided = new SlotList();
    private final Effort effort = new Effort(Effort.MOST_A_DOCUMENT);
    private Filter[] filters = new Filter[16];
    private Anchor[][] anchors = new Anchor[16][];
    // Filed under all that it asks for: who is found there needs no test.
    private boolean[] isExact = new boolean[16];
    private long[] seenIn = new long[16];
    private int size;
    private long pass;
    private Document document = Document.EMPTY;
    private long tests;

    /** Filters that are in it. */
    public int size() {
        return size;
    }

    /** Those that are tested with every document, since nothing they ask for can be looked up. */
    public int scanned() {
        return scanned.size();
    }

    /** How often a filter was tested against a document so far; the cost of matching. */
    public long tests() {
        return tests;
    }

    /** Whether a filter can be looked up; else it is tested against every document. */
    public static boolean canLookUp(Filter filter) {
        return Anchors.choose(filter, anchor -> 1).isPresent();
    }

    /**
     * @param slot a number from 0 that no filter in it has; small numbers save space
     * @throws IllegalArgumentException if a filter has it
     */
    public void add(int slot, Filter filter) {
        if (slot < filters.length && filters[slot] != null) {
            throw new IllegalArgumentException(
                    "slot " + slot + " holds " + filters[slot].key() + "; allowed: a free one");
        }
        grow(slot);
        filters[slot] = filter;
        anchors[slot] =
                Anchors.choose(filter, this::crowd)
                        .map(chosen -> chosen.toArray(SCANNED))
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

    /**
     * @throws IllegalArgumentException if no filter has the number
     */
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
     * Finds the filters that select the document; {@link #selected(int)} names them until the next
     * call, {@link #undecided(int)} those of which that is not known.
     *
     * @return how many they are
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

    /** Of the filters that the last {@link #select} found. */
    public int selected(int index) {
        return selected.get(index);
    }

    /** Filters of which the last {@link #select} could not tell in time. */
    public int undecided() {
        return undecided.size();
    }

    /** One of them. */
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
            byFirst.computeIfAbsent(anchor.path().first(), first -> new ArrayList<>()).add(index);
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
     * How many filters are likely to be tested when one more is filed there: all of a value that
     * most documents have, few of one that few have; of ranges those that overlap.
     */
    private long crowd(Anchor anchor) {
        PathIndex index = paths.get(anchor.path());
        if (anchor instanceof Anchor.Equal equal) {
            int same = index == null ? 0 : index.equalTo(equal.key());
            BsonType type = equal.key().type();
            boolean isCommon = type == BsonType.BOOL || type == BsonType.NULL;
            return isCommon ? 4L + same : same;
        }
        Anchor.Range range = (Anchor.Range) anchor;
        int all = index == null ? 0 : index.rangesOf(range.bracket());
        boolean isHalf = range.from() == Long.MIN_VALUE || range.to() == Long.MAX_VALUE;
        return 8L + (isHalf ? 1 + all / 2 : all / 16);
    }

    private static boolean isLookedUpEntirely(Filter filter) {
        if (filter instanceof Filter.At at) {
            return at.condition() instanceof Condition.Compares c
                    ? c.comparison() == Condition.Comparison.EQUAL
                    : at.condition() instanceof Condition.IsIn in && in.regexes().isEmpty();
        }
        return filter instanceof Filter.Any any
                && any.parts().stream().allMatch(FilterIndex::isLookedUpEntirely);
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
