package io.kipimo.labs.reproductions;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reproduces latencies by the number of records, at a Zipf exponent of 0.99 (Quaestor, table 1). The paper says neither
 * how many connections it took nor how it adjusted times to live. Here there are 10 clients of 120 connections, and all
 * sizes have the same bounds. The paper's largest size is left out, because it needs more operations than a simulation
 * of minutes has.
 */
final class QuaestorTable1 implements Experiment {
    private static final int[] RECORDS = {10_000, 100_000, 1_000_000};
    private static final double[] QUERY_MILLIS = {13.8, 5.5, 11.9};
    private static final double[] RECORD_MILLIS = {70, 40.2, 27.2};
    private static final long READS = 1_000_000;

    private final long reads;

    QuaestorTable1() {
        this(READS);
    }

    QuaestorTable1(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        List<CachingResult> all =
                IntStream.of(RECORDS).mapToObj(number -> run(spec(number))).toList();
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < RECORDS.length; i++) {
            CachingResult result = all.get(i);
            findings.add(row(i, "queries", QUERY_MILLIS[i], result.meanQueryLatencyMillis()));
            findings.add(row(i, "records", RECORD_MILLIS[i], result.meanRecordLatencyMillis()));
        }
        CachingResult byDefault = run(QuaestorFigure9.withDefaults(spec(RECORDS[0])));
        findings.add(Finding.alone(
                Phrase.of("%,d records: latency of queries, records, with the defaults, ms", RECORDS[0]),
                Phrase.of("%.1f, %.1f", byDefault.meanQueryLatencyMillis(), byDefault.meanRecordLatencyMillis()),
                ""));
        return new Reproduction(
                "10 clients of 120 connections that do not pause; one query for each 100 records."
                        + QuaestorFigure9.difference(),
                findings);
    }

    private static CachingSpec spec(int records) {
        return CachingSpec.PAPER
                .withLoad(10, 120, 0.001)
                .withEvaluationTimes(true)
                .withRecordsOfResults(true)
                .withZipf(0.99)
                .withRecords(records)
                .withQueries(records / 100);
    }

    private CachingResult run(CachingSpec spec) {
        return CachingModel.run(spec, 1_000, reads);
    }

    /**
     * A finding for one latency. It matches if ours is between two thirds of the paper's and half as much again,
     * because the paper's setting is known only in part.
     */
    private static Finding row(int size, String what, double paper, double ours) {
        return Finding.compared(
                Phrase.of("%,d records: latency of %s, ms", RECORDS[size], what),
                String.valueOf(paper),
                Phrase.of("%.1f", ours),
                ours > paper / 1.5 && ours < paper * 1.5,
                ours < paper
                        ? "the paper's writes to few records load its data base; this origin is never full"
                        : "the paper runs for 600 s; these reads are half a minute, in which large caches do not fill");
    }
}
