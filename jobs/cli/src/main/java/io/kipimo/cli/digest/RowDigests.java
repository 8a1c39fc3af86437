package io.kipimo.cli.digest;

import io.kipimo.schemas.quality.Measurement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The rows that two jobs wrote from one log, by minute of event time. Rows are delivered at least once and in any
 * order, so a minute is a set: a row that comes again changes nothing.
 */
final class RowDigests {
    private static final long MINUTE_MILLIS = 60_000;
    private static final UUID NONE = new UUID(0, 0);

    /** In place of the hash of a query of which a job wrote two different rows. */
    private static final UUID CONTRADICTION = new UUID(-1, -1);

    private final List<String> jobs;
    private final long[] firstMillis = {Long.MAX_VALUE, Long.MAX_VALUE};
    private final long[] lastMillis = {Long.MIN_VALUE, Long.MIN_VALUE};

    private final Set<String> writers = new TreeSet<>();

    /** Hash of each job's row of a query, by minute and service/query. */
    private final Map<Long, Map<String, UUID[]>> minutes = new TreeMap<>();

    /** Whether both jobs have the same rows. */
    enum Verdict {
        EQUAL,
        DIFFERS,
        /** One job may not have written all rows of the minute, or began in it. */
        UNKNOWN
    }

    /**
     * A minute in which a job wrote a row.
     *
     * @param from start
     * @param queries of which either job has a row
     * @param digests of the jobs' rows: exclusive or of their MD5, without the six bits that make it a UUID
     * @param differing service/query of rows that differ, or that one job lacks
     */
    record Minute(Instant from, Verdict verdict, int queries, List<UUID> digests, List<String> differing) {}

    /** @param jobs two, as {@code KafkaSinks#JOB_HEADER} names them */
    RowDigests(List<String> jobs) {
        this.jobs = List.copyOf(jobs);
    }

    /** A job's event time has passed this end of a minute. */
    void close(String job, long endMillis) {
        int place = jobs.indexOf(job);
        if (place >= 0) {
            firstMillis[place] = Math.min(firstMillis[place], endMillis);
            lastMillis[place] = Math.max(lastMillis[place], endMillis);
        }
    }

    /** A job has written a row, with these bytes. */
    void add(String job, Measurement row, byte[] bytes) {
        writers.add(job);
        int place = jobs.indexOf(job);
        if (place >= 0) {
            UUID[] written = minutes.computeIfAbsent(
                            Math.floorDiv(row.measuredAtMillis(), MINUTE_MILLIS), minute -> new TreeMap<>())
                    .computeIfAbsent(row.service() + '/' + row.queryId(), query -> new UUID[] {NONE, NONE});
            UUID hash = UUID.nameUUIDFromBytes(bytes);
            written[place] = written[place].equals(NONE) || written[place].equals(hash) ? hash : CONTRADICTION;
        }
    }

    /** Jobs with rows. */
    Set<String> writers() {
        return writers;
    }

    /**
     * The minutes so far.
     *
     * @param settleMillis how far the time of a row may be from the job's event time when it is written, either way
     */
    List<Minute> minutes(long settleMillis) {
        boolean isClosed = lastMillis[0] > 0 && lastMillis[1] > 0;
        long from = isClosed ? Math.max(firstMillis[0], firstMillis[1]) + settleMillis : Long.MAX_VALUE;
        long until = isClosed ? Math.min(lastMillis[0], lastMillis[1]) - settleMillis : Long.MIN_VALUE;
        List<Minute> all = new ArrayList<>();
        minutes.forEach((number, rows) -> {
            long start = number * MINUTE_MILLIS;
            List<String> differing = rows.entrySet().stream()
                    .filter(row ->
                            !row.getValue()[0].equals(row.getValue()[1]) || row.getValue()[0].equals(CONTRADICTION))
                    .map(Map.Entry::getKey)
                    .toList();
            boolean isKnown = start >= from && start + MINUTE_MILLIS <= until;
            Verdict known = differing.isEmpty() ? Verdict.EQUAL : Verdict.DIFFERS;
            all.add(new Minute(
                    Instant.ofEpochMilli(start),
                    isKnown ? known : Verdict.UNKNOWN,
                    rows.size(),
                    List.of(digest(rows, 0), digest(rows, 1)),
                    differing));
        });
        return all;
    }

    private static UUID digest(Map<String, UUID[]> rows, int place) {
        return rows.values().stream()
                .map(written -> written[place])
                .reduce(
                        NONE,
                        (one, other) -> new UUID(
                                one.getMostSignificantBits() ^ other.getMostSignificantBits(),
                                one.getLeastSignificantBits() ^ other.getLeastSignificantBits()));
    }
}
