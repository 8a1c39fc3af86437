package io.kipimo.core.quality.join;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * Remembers the queries that a join has removed lately, in eight bytes each. It can prove that a query whose window
 * ended long ago was never in the join. Then the query may still begin without being measured twice. The memory is
 * bounded by time and number, and knows nothing of queries that it has dropped.
 *
 * <p>Mutable, for one thread. The {@link ForgottenPart}s that it consists of never change.
 */
public final class ForgottenQueries {
    /** How long a query is remembered, in event time, unless there are too many. */
    static final long HORIZON_MILLIS = 300_000;

    /** Limit of queries of a part. */
    static final int PART_QUERIES = 1 << 14;

    /** Limit of full parts. */
    static final int PARTS = 32;

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    /** Full parts, the oldest first; the numbers of each are sorted. */
    private final Deque<ForgottenPart> full = new ArrayDeque<>();

    private long[] newest = new long[16];
    private int newestSize;

    /** When the last query of the newest part was removed, event time, epoch milliseconds. */
    private long newestMillis = Long.MIN_VALUE;

    /** This object has all queries that were removed after this time; {@link Long#MIN_VALUE}: all removed ones. */
    private long sinceMillis = Long.MIN_VALUE;

    /**
     * Some removed queries.
     *
     * @param sinceMillis event time after which all parts together have every removed query, epoch milliseconds
     * @param untilMillis event time at which the last query of this part was removed
     * @param numbers a number of each query, in any order
     */
    public record ForgottenPart(long sinceMillis, long untilMillis, long[] numbers) {}

    /** Begins without any knowledge of the queries that were removed up to an event time. */
    void beginAfter(long millis) {
        sinceMillis = millis;
    }

    /** Continues with stored parts, which may come from several joins. */
    void restore(Collection<ForgottenPart> parts) {
        sinceMillis = parts.stream().mapToLong(ForgottenPart::sinceMillis).max().orElse(sinceMillis);
        parts.stream()
                .filter(part -> part.numbers.length > 0)
                .sorted(Comparator.comparingLong(ForgottenPart::untilMillis))
                .map(ForgottenQueries::sorted)
                .forEach(full::addLast);
    }

    /** The parts, at least one. Takes little time: the newest part is copied and not sorted. */
    List<ForgottenPart> snapshot() {
        return Stream.concat(
                        full.stream().map(part -> new ForgottenPart(sinceMillis, part.untilMillis, part.numbers)),
                        Stream.of(newestPart()))
                .toList();
    }

    /** Adds a query that was removed at this event time. */
    void add(QueryKey key, long nowMillis) {
        if (newestSize == PART_QUERIES) {
            full.addLast(sorted(newestPart()));
            newestSize = 0;
        }
        if (newestSize == newest.length) {
            newest = Arrays.copyOf(newest, 2 * newestSize);
        }
        newest[newestSize++] = number(key);
        newestMillis = nowMillis;
        while (!full.isEmpty() && (full.size() > PARTS || full.peekFirst().untilMillis < nowMillis - HORIZON_MILLIS)) {
            sinceMillis = Math.max(sinceMillis, full.pollFirst().untilMillis);
        }
    }

    /**
     * Whether it is certain that the join never had a query.
     *
     * @param goneMillis event time before which the query cannot have been removed, if the join had it
     */
    boolean neverHad(QueryKey key, long goneMillis) {
        // Removals have whole seconds: others of the same one may be in a part that was dropped.
        if (goneMillis <= sinceMillis) {
            return false;
        }
        long number = number(key);
        for (int i = 0; i < newestSize; i++) {
            if (newest[i] == number) {
                return false;
            }
        }
        for (ForgottenPart part : full) {
            if (part.untilMillis >= goneMillis && Arrays.binarySearch(part.numbers, number) >= 0) {
                return false;
            }
        }
        return true;
    }

    private ForgottenPart newestPart() {
        return new ForgottenPart(sinceMillis, newestMillis, Arrays.copyOf(newest, newestSize));
    }

    private static ForgottenPart sorted(ForgottenPart part) {
        long[] numbers = part.numbers.clone();
        Arrays.sort(numbers);
        return new ForgottenPart(part.sinceMillis, part.untilMillis, numbers);
    }

    /** Number of a query. If two queries have the same number, an overdue event of one counts as late. */
    private static long number(QueryKey key) {
        return ConsistentSampling.randomness(key) + key.service().hashCode() * GOLDEN_RATIO;
    }
}
