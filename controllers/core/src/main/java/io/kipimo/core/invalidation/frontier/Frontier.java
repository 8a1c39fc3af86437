package io.kipimo.core.invalidation.frontier;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * For each partition, the time before which all notifications were sent; the time itself is not
 * included. Immutable.
 *
 * @param completeBeforeMillis by partition; {@link Long#MIN_VALUE} while nothing is known
 */
public record Frontier(List<Long> completeBeforeMillis) {
    public Frontier {
        completeBeforeMillis = List.copyOf(completeBeforeMillis);
        if (completeBeforeMillis.isEmpty()) {
            throw new IllegalArgumentException("0 partitions; allowed: from 1");
        }
    }

    /** Nothing is known of any partition. */
    public static Frontier unknown(int partitions) {
        return new Frontier(
                LongStream.generate(() -> Long.MIN_VALUE)
                        .limit(partitions)
                        .boxed()
                        .collect(Collectors.toList()));
    }

    /**
     * A partition is complete before the time; one that says less than before changes nothing, as
     * what was said is not taken back.
     */
    public Frontier advance(int partition, long beforeMillis) {
        if (beforeMillis <= completeBeforeMillis.get(partition)) {
            return this;
        }
        Long[] advanced = completeBeforeMillis.toArray(Long[]::new);
        advanced[partition] = beforeMillis;
        return new Frontier(Arrays.asList(advanced));
    }

    /** What is known of either; for what comes by several ways. */
    public Frontier or(Frontier other) {
        int partitions = completeBeforeMillis.size();
        if (partitions != other.completeBeforeMillis.size()) {
            throw new IllegalArgumentException(
                    "frontiers of "
                            + partitions
                            + " and of "
                            + other.completeBeforeMillis.size()
                            + " partitions; allowed: of as many");
        }
        return new Frontier(
                IntStream.range(0, partitions)
                        .mapToObj(
                                p ->
                                        Math.max(
                                                completeBeforeMillis.get(p),
                                                other.completeBeforeMillis.get(p)))
                        .toList());
    }

    /** Everything before it is complete in all partitions; what is at it may be missing. */
    public long completeBefore() {
        return completeBeforeMillis.stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /** Whether a notification of the time can still come. */
    public boolean isOpen(long atMillis) {
        return atMillis >= completeBefore();
    }
}
