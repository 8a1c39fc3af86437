package io.kipimo.core.invalidation.filter;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Part of the index that holds the filters with anchors at one path. */
final class PathIndex implements Path.ElementTest {
    private static final int BRACKETS = BsonType.MAX_KEY.bracket() + 1;

    private final Path path;
    private final SlotConsumer found;
    private final Map<Value, SlotList> equal = new HashMap<>();
    private final IntervalTree[] ranges = new IntervalTree[BRACKETS];
    // Number of keys that are documents or arrays. Elements of these types are canonicalised only
    // if there are such keys.
    private int nestedKeys;
    private int rangeCount;
    private long pass;
    // Range keys of the elements of one document, by bracket; no element while least > greatest.
    private final long[] least = new long[BRACKETS];
    private final long[] greatest = new long[BRACKETS];

    PathIndex(Path path, SlotConsumer found) {
        this.path = path;
        this.found = found;
        forgetRanges();
    }

    private void forgetRanges() {
        Arrays.fill(least, Long.MAX_VALUE);
        Arrays.fill(greatest, Long.MIN_VALUE);
    }

    Path path() {
        return path;
    }

    boolean isEmpty() {
        return equal.isEmpty() && rangeCount == 0;
    }

    boolean looksForNull() {
        return equal.containsKey(Value.ConstantValue.NULL);
    }

    int equalTo(Value key) {
        SlotList slots = equal.get(key);
        return slots == null ? 0 : slots.size();
    }

    int rangesOf(int bracket) {
        return ranges[bracket] == null ? 0 : ranges[bracket].size();
    }

    void add(Anchor anchor, int slot) {
        if (anchor instanceof Anchor.Equal e) {
            nestedKeys += isNested(e.key()) ? 1 : 0;
            equal.computeIfAbsent(e.key(), key -> new SlotList()).add(slot);
        } else if (anchor instanceof Anchor.RangeAnchor r) {
            rangeCount++;
            if (ranges[r.bracket()] == null) {
                ranges[r.bracket()] = new IntervalTree();
            }
            ranges[r.bracket()].add(r.from(), r.to(), slot);
        }
    }

    void remove(Anchor anchor, int slot) {
        if (anchor instanceof Anchor.Equal e) {
            nestedKeys -= isNested(e.key()) ? 1 : 0;
            SlotList slots = equal.get(e.key());
            slots.remove(slot);
            if (slots.size() == 0) {
                equal.remove(e.key());
            }
        } else if (anchor instanceof Anchor.RangeAnchor r) {
            rangeCount--;
            ranges[r.bracket()].remove(r.from(), r.to(), slot);
        }
    }

    /** Passes on the filters whose anchors the document's elements meet, possibly more than once. */
    void find(Document document, Effort effort) {
        pass++;
        try {
            path.leadsToAny(document, true, this, effort);
        } catch (UndecidedException e) {
            forgetRanges();
            throw e;
        }
        if (rangeCount == 0) {
            return;
        }
        for (int bracket = 0; bracket < BRACKETS; bracket++) {
            if (least[bracket] <= greatest[bracket]) {
                ranges[bracket].overlapping(least[bracket], greatest[bracket], found);
                least[bracket] = Long.MAX_VALUE;
                greatest[bracket] = Long.MIN_VALUE;
            }
        }
    }

    /** Passes on the filters whose anchor a missing element meets. */
    void findMissing() {
        pass++;
        findEqual(Value.ConstantValue.NULL);
    }

    /** Visits one element. Returns false so that all elements are visited. */
    @Override
    public boolean matches(Value element, Effort effort) {
        if (element == null) {
            findEqual(Value.ConstantValue.NULL);
            return false;
        }
        if (!equal.isEmpty() && (nestedKeys > 0 || !isNested(element))) {
            findEqual(element.canonical());
        }
        int bracket = element.type().bracket();
        if (ranges[bracket] != null) {
            long key = RangeKey.of(element);
            least[bracket] = Math.min(least[bracket], key);
            greatest[bracket] = Math.max(greatest[bracket], key);
        }
        return false;
    }

    private void findEqual(Value key) {
        SlotList slots = equal.get(key);
        // Once for each key: an array may repeat a value many times that many filters have as their
        // key.
        if (slots != null && slots.isFirstIn(pass)) {
            for (int i = 0; i < slots.size(); i++) {
                found.accept(slots.get(i));
            }
        }
    }

    private static boolean isNested(Value value) {
        return value instanceof Document || value instanceof ArrayValue;
    }
}
