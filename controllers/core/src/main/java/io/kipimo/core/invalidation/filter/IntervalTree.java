package io.kipimo.core.invalidation.filter;

import java.util.Arrays;

/**
 * Intervals of longs, both ends included, with search by overlap in O(log n + found): a treap by lower end that keeps
 * the highest upper end below each node. The lower end of an interval may exceed its upper end; then a query finds it
 * if the query covers both ends.
 */
final class IntervalTree {
    private static final int NONE = 0;

    private long[] lower = new long[8];
    private long[] upper = new long[8];
    private long[] highest = new long[8];
    private int[] slot = new int[8];
    private int[] left = new int[8];
    private int[] right = new int[8];
    private int root = NONE;
    private int used = 1;
    private int free = NONE;
    private int size;

    int size() {
        return size;
    }

    void add(long from, long to, int filter) {
        int node = allocate(from, to, filter);
        root = insert(root, node);
        size++;
    }

    /** Removes an interval that was added before. */
    void remove(long from, long to, int filter) {
        int before = size;
        root = delete(root, from, to, filter);
        if (size == before) {
            throw new IllegalStateException("filter " + filter + " has no interval " + from + ".." + to);
        }
    }

    /** Passes on all filters whose interval has lower end &lt;= to and upper end &gt;= from. */
    void overlapping(long from, long to, SlotConsumer found) {
        overlapping(root, from, to, found);
    }

    private void overlapping(int start, long from, long to, SlotConsumer found) {
        for (int node = start; node != NONE && highest[node] >= from; node = right[node]) {
            overlapping(left[node], from, to, found);
            if (lower[node] > to) {
                return;
            }
            if (upper[node] >= from) {
                found.accept(slot[node]);
            }
        }
    }

    private int insert(int at, int node) {
        if (at == NONE) {
            return node;
        }
        if (priority(node) > priority(at)) {
            split(at, node);
            return update(node);
        }
        if (precedes(node, at)) {
            left[at] = insert(left[at], node);
        } else {
            right[at] = insert(right[at], node);
        }
        return update(at);
    }

    /** Splits the tree below {@code at} into the children of {@code node}. */
    private void split(int at, int node) {
        left[node] = lessThan(at, node);
        right[node] = splitRest;
    }

    private int splitRest;

    private int lessThan(int at, int node) {
        if (at == NONE) {
            splitRest = NONE;
            return NONE;
        }
        if (precedes(at, node)) {
            right[at] = lessThan(right[at], node);
            return update(at);
        }
        int less = lessThan(left[at], node);
        left[at] = splitRest;
        splitRest = update(at);
        return less;
    }

    private int delete(int at, long from, long to, int filter) {
        if (at == NONE) {
            return NONE;
        }
        int order = compare(from, filter, to, at);
        if (order == 0) {
            int merged = merge(left[at], right[at]);
            left[at] = free;
            free = at;
            size--;
            return merged;
        }
        if (order < 0) {
            left[at] = delete(left[at], from, to, filter);
        } else {
            right[at] = delete(right[at], from, to, filter);
        }
        return update(at);
    }

    private int merge(int a, int b) {
        if (a == NONE || b == NONE) {
            return a == NONE ? b : a;
        }
        if (priority(a) > priority(b)) {
            right[a] = merge(right[a], b);
            return update(a);
        }
        left[b] = merge(a, left[b]);
        return update(b);
    }

    private boolean precedes(int a, int b) {
        return compare(lower[a], slot[a], upper[a], b) < 0;
    }

    private int compare(long from, int filter, long to, int node) {
        int byLower = Long.compare(from, lower[node]);
        int bySlot = byLower != 0 ? byLower : Integer.compare(filter, slot[node]);
        return bySlot != 0 ? bySlot : Long.compare(to, upper[node]);
    }

    private int update(int node) {
        long most = upper[node];
        if (left[node] != NONE) {
            most = Math.max(most, highest[left[node]]);
        }
        if (right[node] != NONE) {
            most = Math.max(most, highest[right[node]]);
        }
        highest[node] = most;
        return node;
    }

    /**
     * Priority of a node in the treap: a hash of its number instead of a random number, so every run builds the same
     * tree.
     */
    private static int priority(int node) {
        int mixed = node * 0x9E3779B9;
        mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
        mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
        return mixed ^ (mixed >>> 16);
    }

    private int allocate(long from, long to, int filter) {
        int node = free;
        if (node != NONE) {
            free = left[node];
        } else {
            node = used++;
            if (node == slot.length) {
                grow();
            }
        }
        lower[node] = from;
        upper[node] = to;
        highest[node] = to;
        slot[node] = filter;
        left[node] = NONE;
        right[node] = NONE;
        return node;
    }

    private void grow() {
        int capacity = slot.length + (slot.length >> 1);
        lower = Arrays.copyOf(lower, capacity);
        upper = Arrays.copyOf(upper, capacity);
        highest = Arrays.copyOf(highest, capacity);
        slot = Arrays.copyOf(slot, capacity);
        left = Arrays.copyOf(left, capacity);
        right = Arrays.copyOf(right, capacity);
    }
}
