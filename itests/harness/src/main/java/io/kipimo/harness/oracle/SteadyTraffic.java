package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Endless traffic of all services in wall-clock time. It has the late, lost and oversized results of
 * {@code QualityTraffic}, but no repeated and no unusable records.
 */
public final class SteadyTraffic {
    private static final String PREFIX = "soak-";
    private static final long SECOND_MILLIS = 1_000;

    private final RandomGenerator random;
    private final int partitions;
    private final double queriesPerMilli;
    private final long startMillis;
    private final PriorityQueue<Sending> waiting = new PriorityQueue<>(Comparator.comparingLong(Sending::atMillis));
    private final Map<Integer, ExpectedRow> newRows = new HashMap<>();
    private int queries;
    private long sent;
    private long late;
    private long observedMillis;

    private record Sending(long atMillis, LogRecord record, boolean isLate) {}

    /**
     * Makes traffic.
     *
     * @param queriesPerSecond above 0
     * @param startMillis epoch milliseconds
     */
    public SteadyTraffic(long seed, int partitions, double queriesPerSecond, long startMillis) {
        this.random = new SplittableRandom(seed);
        this.partitions = partitions;
        this.queriesPerMilli = queriesPerSecond / SECOND_MILLIS;
        this.startMillis = startMillis;
        this.observedMillis = startMillis;
    }

    /** Records that are due at the given time and were not returned before, in sending order. New queries start. */
    public List<LogRecord> queriesUntil(long nowMillis) {
        while (startMillis + queries / queriesPerMilli <= nowMillis) {
            add(queries++);
        }
        return eventsUntil(nowMillis);
    }

    /** Like {@link #queriesUntil}, but without new queries: open queries end, and event time advances. */
    public List<LogRecord> eventsUntil(long nowMillis) {
        List<LogRecord> due = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.peek().atMillis() <= nowMillis) {
            Sending next = waiting.poll();
            due.add(next.record());
            sent++;
            late += next.isLate() ? 1 : 0;
        }
        for (; observedMillis + SECOND_MILLIS <= nowMillis; observedMillis += SECOND_MILLIS) {
            for (int frontEnd = 0; frontEnd < partitions; frontEnd++) {
                for (OracleService service : OracleService.values()) {
                    for (Event event : service.observations(frontEnd, observedMillis)) {
                        due.add(event.inPartition(frontEnd));
                    }
                }
            }
        }
        return due;
    }

    public List<Policy> policies() {
        return OracleService.policies();
    }

    /** Expected rows of the queries since the last call, by query number. */
    public Map<Integer, ExpectedRow> takeNewRows() {
        Map<Integer, ExpectedRow> taken = Map.copyOf(newRows);
        newRows.clear();
        return taken;
    }

    /** Number of answers, replays and partial results that were returned so far. */
    public long sent() {
        return sent;
    }

    /** Number of returned events that are expected to be late. */
    public long late() {
        return late;
    }

    /** The number of a query, decoded from its id. */
    public static int number(String queryId) {
        return Integer.parseInt(queryId.substring(PREFIX.length()));
    }

    private void add(int number) {
        long start = startMillis + (long) (number / queriesPerMilli);
        QueryTrace trace = OracleService.of(number).query(PREFIX + number, start, random);
        trace.row().ifPresent(row -> newRows.put(number, row));
        trace.joined().forEach(event -> send(event, false));
        trace.heldInVain().forEach(event -> send(event, true));
        trace.late().forEach(event -> send(event, true));
        trace.lateWithoutStart().forEach(event -> send(event, true));
    }

    private void send(Event event, boolean isLate) {
        waiting.add(new Sending(event.timeMillis(), event.inPartition(random.nextInt(partitions)), isLate));
    }
}
