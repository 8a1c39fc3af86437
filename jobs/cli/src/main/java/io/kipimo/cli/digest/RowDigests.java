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
 * Collects the rows that two jobs wrote from one log, by minute of event time. Jobs deliver rows at least once and in
 * any order, so a minute is a set: a repeated row changes nothing.
 */
final class RowDigests {
    private static final long MINUTE_MILLIS = 60_000;
    private static final int SHOWN = 10;
    private static final UUID NONE = new UUID(0, 0);

    /** Stands in place of a row's hash if a job wrote two different rows of one query. */
    private static final UUID CONTRADICTION = new UUID(-1, -1);

    private final List<String> jobs;
    private final long[] firstMillis = {Long.MAX_VALUE, Long.MAX_VALUE};
    private final long[] lastMillis = {Long.MIN_VALUE, Long.MIN_VALUE};

    private final Set<String> writers = new TreeSet<>();

    /** Hashes of the two jobs' rows of a query, by minute and by service/query. */
    private final Map<Long, Map<String, UUID[]>> minutes = new TreeMap<>();

    /** States whether both jobs wrote the same rows in a minute. */
    enum Verdict {
        EQUAL,
        DIFFERS,
        /** A job started in or after the minute, or may not have written all its rows yet. */
        UNKNOWN
    }

    /**
     * A minute in which a job wrote a row.
     *
     * @param from start, such as 2026-05-01T12:00:00Z
     * @param queries number of queries of which either job has a row
     * @param digests one digest per job: the exclusive or of its rows' MD5-based UUIDs
     * @param differing number of rows that differ, or that one job lacks
     * @param examples service/query of some of the differing rows
     */
    record Minute(
            String from, Verdict verdict, int queries, List<UUID> digests, long differing, List<String> examples) {}

    /** @param jobs names of the two jobs, as in {@code KafkaSinks#JOB_HEADER} */
    RowDigests(List<String> jobs) {
        this.jobs = List.copyOf(jobs);
    }

    /** Records that a job's event time has passed the end of a minute. */
    void close(String job, long endMillis) {
        int place = jobs.indexOf(job);
        if (place >= 0) {
            firstMillis[place] = Math.min(firstMillis[place], endMillis);
            lastMillis[place] = Math.max(lastMillis[place], endMillis);
        }
    }

    /** Adds a row that a job has written, with the row's bytes. */
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

    /** Names of all jobs that wrote rows. */
    Set<String> writers() {
        return writers;
    }

    /**
     * Compares the minutes so far.
     *
     * @param settleMillis greatest distance, earlier or later, between a row's time and the job's event time when it
     *     writes the row
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
                    Instant.ofEpochMilli(start).toString(),
                    isKnown ? known : Verdict.UNKNOWN,
                    rows.size(),
                    List.of(digest(rows, 0), digest(rows, 1)),
                    differing.size(),
                    differing.stream().limit(SHOWN).toList()));
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
