package io.kipimo.bench.foreseen;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The queries of one run in order of their starts, with the load that they met. */
final class Recording {
    /** Weight of the newest query in the moving average of each component's lateness. */
    private static final double NEWEST = 0.02;

    private final List<RecordedQuery> queries;
    private final long deadlineMicros;
    private final int[] byKnowledge;
    private final long[] starts;
    private final long[] ends;

    /** Ends of the calls to each component, ascending. */
    private final long[][] returns;

    private final double[][] lateness;

    /**
     * Makes a recording.
     *
     * @param queries at least one
     */
    Recording(List<RecordedQuery> queries, long deadlineMicros) {
        this.queries = queries.stream()
                .sorted(Comparator.comparingLong(RecordedQuery::startMicros))
                .toList();
        this.deadlineMicros = deadlineMicros;
        int components = queries.get(0).components();
        starts = this.queries.stream().mapToLong(RecordedQuery::startMicros).toArray();
        ends = this.queries.stream()
                .mapToLong(q -> q.startMicros()
                        + Math.min(
                                deadlineMicros,
                                Arrays.stream(q.latencyMicros()).max().orElseThrow()))
                .sorted()
                .toArray();
        returns = IntStream.range(0, components)
                .mapToObj(c -> this.queries.stream()
                        .mapToLong(q -> q.startMicros() + waited(q.latencyMicros()[c]))
                        .sorted()
                        .toArray())
                .toArray(long[][]::new);
        byKnowledge = IntStream.range(0, size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> query(i).knownMicros()))
                .mapToInt(i -> i)
                .toArray();
        lateness = new double[size()][];
        double[] late = new double[components];
        int known = 0;
        for (int i = 0; i < size(); i++) {
            for (; isKnown(known, starts[i]); known++) {
                RecordedQuery learned = query(byKnowledge[known]);
                for (int c = 0; c < components; c++) {
                    late[c] += NEWEST * ((learned.latencyMicros()[c] > deadlineMicros ? 1 : 0) - late[c]);
                }
            }
            lateness[i] = late.clone();
        }
    }

    /**
     * Time that the front end waited for a result. It does not wait beyond the deadline, so it does not learn when a
     * late result arrives.
     */
    private long waited(long latencyMicros) {
        return latencyMicros == RecordedQuery.NEVER ? deadlineMicros : latencyMicros;
    }

    int size() {
        return queries.size();
    }

    RecordedQuery query(int number) {
        return queries.get(number);
    }

    int components() {
        return returns.length;
    }

    long deadlineMicros() {
        return deadlineMicros;
    }

    double quality(int number) {
        return query(number).quality(deadlineMicros);
    }

    boolean isComplete(int number) {
        return !query(number).isOpen(deadlineMicros);
    }

    /** Returns whether an n-th query exists and its mature answer was known at the given time. */
    boolean isKnown(int n, long micros) {
        return n < size() && query(byKnowledge[n]).knownMicros() <= micros;
    }

    /** Number of queries that have started and have no answer at a time. */
    int open(long micros) {
        return upTo(starts, micros) - upTo(ends, micros);
    }

    /** Number of calls of a component that have no result at a time. */
    int outstanding(int component, long micros) {
        return upTo(starts, micros) - upTo(returns[component], micros);
    }

    /** Share of a component's recent calls that were late, as it is known when the query starts, 0..1. */
    double lateness(int number, int component) {
        return lateness[number][component];
    }

    private static int upTo(long[] ascending, long value) {
        int low = 0;
        for (int high = ascending.length; low < high; ) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
