package io.kipimo.core.invalidation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The current result of a query with sort, offset and limit. It keeps the first offset + limit + slack records in
 * order, up to a horizon; records beyond the horizon are unknown. Records that leave are replaced from the slack. Only
 * when the slack is used up must the query be evaluated again. Mutable, for one thread.
 */
public final class SortedWindow {
    private record WindowEntry(AfterImage image, SortOrder.Rank rank) {}

    private final SortOrder order;
    private final long offset;
    // Exclusive; greater than every size if there is no limit.
    private final long end;
    private final long capacity;
    private final List<WindowEntry> known = new ArrayList<>();
    private final Map<String, WindowEntry> byId = new HashMap<>();
    // All records up to this rank are known; null if all records are known.
    private SortOrder.Rank horizon;
    private boolean usedUp;

    private SortedWindow(SortOrder order, long offset, long limit, int slack) {
        this.order = order;
        this.offset = offset;
        this.end = limit == 0 ? Integer.MAX_VALUE : offset + limit;
        this.capacity = limit == 0 ? Integer.MAX_VALUE : end + slack;
    }

    /**
     * @param offset number of records to skip, at least 0
     * @param limit number of records in the window; 0: all
     * @param slack number of records kept after the window, at least 1
     * @param evaluated records that the filter selects: the first offset + limit + slack, or more
     * @param isAll whether {@code evaluated} has all records that the filter selects
     */
    public static SortedWindow of(
            SortOrder order, long offset, long limit, int slack, Collection<AfterImage> evaluated, boolean isAll) {
        if (offset < 0 || limit < 0 || offset + limit > Integer.MAX_VALUE / 2 || slack < 1) {
            throw new IllegalArgumentException(
                    "offset %s, limit %s, slack %s; allowed: from 0, from 0, from 1; at most 2^30 in all"
                            .formatted(offset, limit, slack));
        }
        if (limit == 0 && !isAll) {
            throw new IllegalArgumentException("without a limit all records are needed");
        }
        SortedWindow window = new SortedWindow(order, offset, limit, slack);
        for (AfterImage image : evaluated) {
            WindowEntry entry = window.entry(image);
            window.known.add(entry);
            window.byId.put(image.recordId(), entry);
        }
        window.known.sort((a, b) -> order.compare(a.rank, b.rank));
        if (!isAll) {
            window.horizon = window.last();
            window.usedUp = window.known.size() < window.end;
        }
        window.truncate();
        return window;
    }

    /** Ids of the records in the window, in order. */
    public List<String> recordIds() {
        return images().stream().map(AfterImage::recordId).toList();
    }

    /** The records in the window, in order. */
    public List<AfterImage> images() {
        return List.copyOf(known.subList((int) Math.min(offset, known.size()), inWindow()).stream()
                .map(WindowEntry::image)
                .toList());
    }

    /**
     * Finds one difference to another window of the same query. It prefers a difference in the records or their order
     * to one in a record's content. Empty if both windows are equal.
     */
    public Optional<WindowChange> differenceTo(SortedWindow other) {
        List<AfterImage> here = images();
        List<AfterImage> there = other.images();
        Map<String, Integer> places = places(here);
        Map<String, Integer> otherPlaces = places(there);
        for (int i = 0; i < there.size(); i++) {
            String id = there.get(i).recordId();
            if (!places.containsKey(id)) {
                return Optional.of(new WindowChange(ChangeKind.ADD, id, -1, i));
            }
        }
        Optional<WindowChange> content = Optional.empty();
        for (int i = 0; i < here.size(); i++) {
            String id = here.get(i).recordId();
            Integer place = otherPlaces.get(id);
            if (place == null) {
                return Optional.of(new WindowChange(ChangeKind.REMOVE, id, i, -1));
            }
            if (place != i) {
                return Optional.of(new WindowChange(ChangeKind.CHANGE_INDEX, id, i, place));
            }
            if (content.isEmpty() && here.get(i).version() != there.get(i).version()) {
                content = Optional.of(new WindowChange(ChangeKind.CHANGE, id, i, i));
            }
        }
        return content;
    }

    private static Map<String, Integer> places(List<AfterImage> images) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < images.size(); i++) {
            places.put(images.get(i).recordId(), i);
        }
        return places;
    }

    /** All kept records in order. A checkpoint needs these and {@link #knowsAll()}. */
    public List<AfterImage> known() {
        return known.stream().map(WindowEntry::image).toList();
    }

    /** Whether this window keeps all records that the filter selects. */
    public boolean knowsAll() {
        return horizon == null;
    }

    /** Number of records that may leave before the query must be evaluated again. */
    public long slack() {
        return knowsAll() ? Long.MAX_VALUE : Math.max(0, known.size() - end);
    }

    /** Whether the query must be evaluated again; the window ignores matches then. */
    public boolean isUsedUp() {
        return usedUp;
    }

    /** Applies a match of the first stage. A version that is not newer than the kept one has no effect. */
    public WindowUpdate apply(Match match) {
        if (usedUp) {
            return WindowUpdate.USED_UP;
        }
        AfterImage write = match.write();
        WindowEntry before = byId.get(write.recordId());
        if (before != null && write.version() <= before.image.version()) {
            return WindowUpdate.NONE;
        }
        WindowEntry after = match.kind() == ChangeKind.REMOVE ? null : entry(write);
        if (after != null && horizon != null && order.compare(after.rank, horizon) > 0) {
            after = null;
        }
        if (before == null && after == null) {
            return WindowUpdate.NONE;
        }
        Move move = new Move(before, after);
        usedUp = horizon != null && known.size() < end;
        return usedUp ? WindowUpdate.USED_UP : new WindowUpdate(move.changes(), false);
    }

    /** A move of one record, with its effects at both ends of the window. */
    private final class Move {
        private final int from;
        private final int to;
        private final WindowEntry moved;
        private final WindowEntry firstBefore;
        private final WindowEntry lastBefore;
        private final int firstBeforeIndex;
        private final int lastBeforeIndex;

        Move(WindowEntry before, WindowEntry after) {
            moved = after == null ? before : after;
            firstBeforeIndex = (int) Math.min(offset, known.size());
            lastBeforeIndex = inWindow() - 1;
            boolean isEmpty = lastBeforeIndex < firstBeforeIndex;
            firstBefore = isEmpty ? null : known.get(firstBeforeIndex);
            lastBefore = isEmpty ? null : known.get(lastBeforeIndex);
            from = before == null ? -1 : place(before.rank);
            if (before != null) {
                known.remove(from);
                byId.remove(before.image.recordId());
            }
            to = after == null ? -1 : -1 - place(after.rank);
            if (after != null) {
                known.add(to, after);
                byId.put(after.image.recordId(), after);
            }
            truncate();
        }

        List<WindowChange> changes() {
            List<WindowChange> changes = new ArrayList<>(2);
            boolean isInBefore = isInWindow(from);
            boolean isInAfter = isInWindow(to);
            if (isInBefore && isInAfter) {
                ChangeKind kind = from == to ? ChangeKind.CHANGE : ChangeKind.CHANGE_INDEX;
                return List.of(change(kind, moved, from, to));
            }
            if (isInBefore) {
                changes.add(change(ChangeKind.REMOVE, moved, from, -1));
            } else {
                removeIfOut(firstBefore, firstBeforeIndex, changes);
                if (lastBeforeIndex != firstBeforeIndex) {
                    removeIfOut(lastBefore, lastBeforeIndex, changes);
                }
            }
            if (isInAfter) {
                changes.add(change(ChangeKind.ADD, moved, -1, to));
            } else {
                int first = (int) Math.min(offset, known.size());
                int last = inWindow() - 1;
                addIfNew(first, last, changes);
                if (first < last) {
                    addIfNew(last, last, changes);
                }
            }
            return changes;
        }

        private void removeIfOut(WindowEntry entry, int index, List<WindowChange> changes) {
            if (entry == null) {
                return;
            }
            int closed = from >= 0 && from < index ? index - 1 : index;
            int now = to >= 0 && to <= closed ? closed + 1 : closed;
            if (!isInWindow(now)) {
                changes.add(change(ChangeKind.REMOVE, entry, index, -1));
            }
        }

        private void addIfNew(int index, int last, List<WindowChange> changes) {
            if (index > last) {
                return;
            }
            int open = to >= 0 && to < index ? index - 1 : index;
            int was = from >= 0 && from <= open ? open + 1 : open;
            if (!isInWindow(was)) {
                changes.add(change(ChangeKind.ADD, known.get(index), -1, index));
            }
        }

        private WindowChange change(ChangeKind kind, WindowEntry entry, int before, int after) {
            return new WindowChange(
                    kind,
                    entry.image.recordId(),
                    before < 0 ? -1 : (int) (before - offset),
                    after < 0 ? -1 : (int) (after - offset));
        }
    }

    private boolean isInWindow(int index) {
        return index >= offset && index < end;
    }

    private int inWindow() {
        return (int) Math.max(Math.min(offset, known.size()), Math.min(end, known.size()));
    }

    private WindowEntry entry(AfterImage write) {
        return new WindowEntry(write, order.rank(write.recordId(), write.image().orElseThrow()));
    }

    private SortOrder.Rank last() {
        return known.isEmpty() ? null : known.get(known.size() - 1).rank;
    }

    private void truncate() {
        while (known.size() > capacity) {
            WindowEntry dropped = known.remove(known.size() - 1);
            byId.remove(dropped.image.recordId());
            horizon = last();
        }
    }

    /** Index of a rank; or -1 - the index where it would be inserted. */
    private int place(SortOrder.Rank rank) {
        int low = 0;
        int high = known.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int comparison = order.compare(known.get(middle).rank, rank);
            if (comparison == 0) {
                return middle;
            }
            if (comparison < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }
}
