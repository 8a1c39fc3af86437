package io.kipimo.labs.social.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks whether a read's result is possible: whether the store may have had this content at one time between the
 * read's beginning and end. At that time all writes that had ended are in effect, no write that had not begun, and any
 * of those in progress. The check is exact if writes and reads are atomic. With more than {@value #MOST_UNDER_WAY}
 * writes in progress on the read data, each set is checked separately.
 *
 * <p>Times are any numbers that order the events. Call begin, end and judge in the order of times; judge a read at its
 * end. Writes are forgotten some time after their end, so memory is bounded by recent writes and by the sets that were
 * ever written. Not thread-safe.
 */
final class ReadValidator {
    private static final int MOST_UNDER_WAY = 10;

    private final InitialSets initial;
    private final long retention;
    private final Map<SetId, SetHistory> histories = new HashMap<>();
    private final Deque<Write> ended = new ArrayDeque<>();
    private long horizon = Long.MIN_VALUE;

    /**
     * Makes a validator.
     *
     * @param retention how long after its end a write is kept, in the unit of times
     */
    public ReadValidator(InitialSets initial, long retention) {
        this.initial = initial;
        this.retention = retention;
    }

    /** Begins a write. Until {@link #end} is called, it may or may not have taken effect. */
    public Write begin(List<Change> changes, long time) {
        Write write = new Write(changes);
        begin(write, time);
        return write;
    }

    void begin(Write write, long time) {
        write.start = time;
        for (Change change : write.changes) {
            SetHistory history = history(change.set());
            // A write may change two elements of one set.
            if (!history.writes().contains(write)) {
                history.add(write);
            }
        }
    }

    /** Ends a write that was applied. A write with an unknown outcome never ends. */
    public void end(Write write, long time) {
        write.end = time;
        ended.add(write);
        while (!ended.isEmpty() && ended.peek().end < time - retention) {
            Write oldest = ended.remove();
            horizon = oldest.end;
            oldest.changes.stream().map(Change::set).distinct().forEach(set -> history(set)
                    .fold(oldest));
        }
    }

    /** Returns whether a read that began at {@code start} can still be validated. */
    public boolean reachesBackTo(long start) {
        return start > horizon;
    }

    /**
     * Validates a read of several sets at one time.
     *
     * @param start time when the read began, before {@code end}; see {@link #reachesBackTo}
     */
    public ReadVerdict judge(long start, long end, List<Seen> seen) {
        Set<Write> writes = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Seen one : seen) {
            SetHistory history = histories.get(one.set());
            if (history != null) {
                writes.addAll(history.writes());
            }
        }
        // The possible contents change only at these times, so checking them suffices.
        Set<Long> moments = new TreeSet<>();
        moments.add(start);
        moments.add(end);
        for (Write write : writes) {
            addWithin(moments, write.start, start, end);
            addWithin(moments, write.end, start, end);
        }
        if (moments.stream().anyMatch(moment -> explained(seen, moment, writes))) {
            return ReadVerdict.VALID;
        }
        Set<Long> earlier = new TreeSet<>();
        earlier.add(Math.max(horizon + 1, Long.MIN_VALUE + 1));
        for (Write write : writes) {
            addWithin(earlier, write.start, Long.MIN_VALUE, start - 1);
            addWithin(earlier, write.end, Long.MIN_VALUE, start - 1);
        }
        earlier.removeIf(moment -> moment >= start);
        if (earlier.stream().anyMatch(moment -> explained(seen, moment, writes))) {
            return ReadVerdict.STALE;
        }
        moments.addAll(earlier);
        return seen.stream().allMatch(one -> everRight(one, moments)) ? ReadVerdict.INCONSISTENT : ReadVerdict.WRONG;
    }

    private static void addWithin(Set<Long> moments, long moment, long from, long to) {
        if (moment >= from && moment <= to) {
            moments.add(moment);
        }
    }

    private boolean explained(List<Seen> seen, long moment, Collection<Write> writes) {
        List<Write> underWay = writes.stream()
                .filter(write -> write.start <= moment && write.end >= moment)
                .toList();
        if (underWay.size() > MOST_UNDER_WAY) {
            return seen.stream().allMatch(one -> explainedAlone(one, moment));
        }
        List<long[]> sets = seen.stream().map(one -> before(one.set(), moment)).toList();
        for (int done = 0; done < 1 << underWay.size(); done++) {
            if (matches(seen, sets, underWay, done)) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(List<Seen> seen, List<long[]> sets, List<Write> underWay, int done) {
        for (int i = 0; i < seen.size(); i++) {
            long[] set = sets.get(i);
            for (int w = 0; w < underWay.size(); w++) {
                if ((done & (1 << w)) != 0) {
                    // A set without writes has its initial contents.
                    SetHistory history = histories.get(seen.get(i).set());
                    set = history == null ? set : history.apply(set, underWay.get(w));
                }
            }
            if (!matches(seen.get(i), set)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(Seen seen, long[] set) {
        return seen.size() == set.length
                && seen.elements().map(elements -> Arrays.equals(elements, set)).orElse(true);
    }

    /** Returns whether writes in progress can explain the content of one set, regardless of the other sets. */
    private boolean explainedAlone(Seen seen, long moment) {
        long[] set = before(seen.set(), moment);
        List<Change> open = underWay(seen.set(), moment);
        if (seen.elements().isPresent()) {
            long[] free = open.stream().mapToLong(Change::element).sorted().toArray();
            return Arrays.equals(minus(seen.elements().orElseThrow(), free), minus(set, free));
        }
        long comes = open.stream()
                .filter(Change::add)
                .map(Change::element)
                .distinct()
                .count();
        long goes = open.stream()
                .filter(c -> !c.add())
                .map(Change::element)
                .distinct()
                .count();
        return seen.size() >= set.length - goes && seen.size() <= set.length + comes;
    }

    private List<Change> underWay(SetId set, long moment) {
        SetHistory history = histories.get(set);
        if (history == null) {
            return List.of();
        }
        List<Change> open = new ArrayList<>();
        for (Write write : history.writes()) {
            if (write.start <= moment && write.end >= moment) {
                write.changes.stream().filter(c -> c.set().equals(set)).forEach(open::add);
            }
        }
        return open;
    }

    /** Returns whether every part of the seen set was correct at one or another of the given times. */
    private boolean everRight(Seen seen, Collection<Long> moments) {
        if (seen.elements().isEmpty()) {
            return moments.stream().anyMatch(moment -> explainedAlone(seen, moment));
        }
        long[] elements = seen.elements().orElseThrow();
        Set<Long> open = new TreeSet<>();
        for (long element : elements) {
            open.add(element);
        }
        Set<Long> missing = null;
        for (long moment : moments) {
            Set<Long> absent = new TreeSet<>();
            long[] set = before(seen.set(), moment);
            for (long element : set) {
                open.remove(element);
                if (Arrays.binarySearch(elements, element) < 0) {
                    absent.add(element);
                }
            }
            for (Change change : underWay(seen.set(), moment)) {
                open.remove(change.element());
                absent.remove(change.element());
            }
            if (missing == null) {
                missing = absent;
            } else {
                missing.retainAll(absent);
            }
        }
        return open.isEmpty() && (missing == null || missing.isEmpty());
    }

    private static long[] minus(long[] set, long[] free) {
        return Arrays.stream(set).filter(e -> Arrays.binarySearch(free, e) < 0).toArray();
    }

    private long[] before(SetId set, long moment) {
        SetHistory history = histories.get(set);
        return history == null ? initial.elements(set) : history.before(moment);
    }

    private SetHistory history(SetId set) {
        return histories.computeIfAbsent(set, id -> new SetHistory(id, initial.elements(id)));
    }
}
