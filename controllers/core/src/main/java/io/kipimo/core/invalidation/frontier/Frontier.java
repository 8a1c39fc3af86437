package io.kipimo.core.invalidation.frontier;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * For each partition, the time before which all notifications were sent; the time itself is not included. Immutable.
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

    /** A frontier without knowledge of any partition. */
    public static Frontier unknown(int partitions) {
        return new Frontier(LongStream.generate(() -> Long.MIN_VALUE)
                .limit(partitions)
                .boxed()
                .collect(Collectors.toList()));
    }

    /** Marks a partition as complete before a time. An earlier time than before has no effect. */
    public Frontier advance(int partition, long beforeMillis) {
        if (beforeMillis <= completeBeforeMillis.get(partition)) {
            return this;
        }
        Long[] advanced = completeBeforeMillis.toArray(Long[]::new);
        advanced[partition] = beforeMillis;
        return new Frontier(Arrays.asList(advanced));
    }

    /**
     * Combines two frontiers of partitions that are read in several ways: the later time of the two for each partition.
     */
    public Frontier or(Frontier other) {
        int partitions = completeBeforeMillis.size();
        if (partitions != other.completeBeforeMillis.size()) {
            throw new IllegalArgumentException("frontiers of %s and of %s partitions; allowed: the same number"
                    .formatted(partitions, other.completeBeforeMillis.size()));
        }
        return new Frontier(IntStream.range(0, partitions)
                .mapToObj(p -> Math.max(completeBeforeMillis.get(p), other.completeBeforeMillis.get(p)))
                .toList());
    }

    /** The time before which all partitions are complete; notifications at that time may be missing. */
    public long completeBefore() {
        return completeBeforeMillis.stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /** Whether a notification of that time may still arrive. */
    public boolean isOpen(long atMillis) {
        return atMillis >= completeBefore();
    }
}
