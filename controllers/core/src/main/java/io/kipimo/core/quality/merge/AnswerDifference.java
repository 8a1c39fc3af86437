package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.Items;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The difference between the answers of two replicas to one query.
 *
 * @param firstLacks identifiers that only the second answer has, and that the first would have had room for: their
 *     scores are better than that of its last item
 * @param secondLacks identifiers that only the first answer has, and that the second would have had room for
 */
public record AnswerDifference(DifferenceKind kind, Set<String> firstLacks, Set<String> secondLacks) {
    /** Relative difference up to which scores count as equal, because replicas may add in different orders. */
    private static final double EQUAL = 1e-6;

    /** Kinds of difference. */
    public enum DifferenceKind {
        /** Equal items in equal order. */
        SAME,
        /** Only items of equal scores are in another order, or cut off at the end. */
        TIES,
        /** Items, their order or their scores differ. */
        DIFFERENT
    }

    public AnswerDifference {
        firstLacks = Collections.unmodifiableSet(new LinkedHashSet<>(firstLacks));
        secondLacks = Collections.unmodifiableSet(new LinkedHashSet<>(secondLacks));
    }

    /**
     * Compares two answers.
     *
     * @param first items, best first, with finite scores; {@code second} likewise
     */
    public static AnswerDifference of(Items first, Items second) {
        if (sameOrder(first, second)) {
            return new AnswerDifference(DifferenceKind.SAME, Set.of(), Set.of());
        }
        if (isTie(first, second)) {
            return new AnswerDifference(DifferenceKind.TIES, Set.of(), Set.of());
        }
        return new AnswerDifference(DifferenceKind.DIFFERENT, lackedBy(first, second), lackedBy(second, first));
    }

    /**
     * The difference that a later comparison of the same replicas for the same query confirms: items that were lacking
     * both times. If an index keeps changing, other items differ each time.
     */
    public AnswerDifference still(AnswerDifference later) {
        if (later.kind != DifferenceKind.DIFFERENT || kind != DifferenceKind.DIFFERENT) {
            return later;
        }
        Set<String> first = both(firstLacks, later.firstLacks);
        Set<String> second = both(secondLacks, later.secondLacks);
        boolean isOrder = firstLacks.isEmpty() && secondLacks.isEmpty();
        boolean isOrderLater = later.firstLacks.isEmpty() && later.secondLacks.isEmpty();
        boolean persists = !first.isEmpty() || !second.isEmpty() || (isOrder && isOrderLater);
        return new AnswerDifference(persists ? DifferenceKind.DIFFERENT : DifferenceKind.SAME, first, second);
    }

    private static Set<String> both(Set<String> a, Set<String> b) {
        Set<String> both = new LinkedHashSet<>(a);
        both.retainAll(b);
        return both;
    }

    private static boolean sameOrder(Items a, Items b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!id(a, i).equals(id(b, i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether all runs of equal scores have the same items, except the last run, which the answer's end may cut. */
    private static boolean isTie(Items a, Items b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int from = 0; from < a.size(); ) {
            int to = from;
            do {
                if (!areEqual(a.score(to), b.score(to))) {
                    return false;
                }
                to++;
            } while (to < a.size() && areEqual(a.score(to - 1), a.score(to)));
            if (to < a.size() && !ids(a, from, to).equals(ids(b, from, to))) {
                return false;
            }
            from = to;
        }
        return true;
    }

    private static boolean areEqual(float a, float b) {
        return Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b));
    }

    private static Set<String> lackedBy(Items one, Items other) {
        Set<String> own = ids(one, 0, one.size());
        Set<String> lacked = new LinkedHashSet<>();
        boolean isFull = one.size() >= other.size() && !one.isEmpty();
        for (int i = 0; i < other.size(); i++) {
            boolean hadRoom = !isFull || other.score(i) > one.score(one.size() - 1);
            if (hadRoom && !own.contains(id(other, i))) {
                lacked.add(id(other, i));
            }
        }
        return lacked;
    }

    private static Set<String> ids(Items items, int from, int to) {
        Set<String> ids = new LinkedHashSet<>();
        for (int i = from; i < to; i++) {
            ids.add(id(items, i));
        }
        return ids;
    }

    private static String id(Items items, int place) {
        return items.isTexts() ? items.texts()[place] : Long.toUnsignedString(items.numbers()[place]);
    }
}
