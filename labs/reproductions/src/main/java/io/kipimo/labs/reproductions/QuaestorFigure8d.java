package io.kipimo.labs.reproductions;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reproduces latency and client hit rates as the number of queries grows (Quaestor, sec. 6.2, fig. 8d and 8e). Clients
 * also cache the records of a result one by one, so more queries cover more records.
 */
final class QuaestorFigure8d implements Experiment {
    private static final int[] QUERIES = {100, 200, 500, 1_000};
    private static final int RECORDS = 10_000;
    private static final long READS = 400_000;
    private static final CachingSpec LOAD =
            CachingSpec.PAPER.withLoad(10, 120, 0.001).withEvaluationTimes(true);
    private static final CachingSpec KEEPING = LOAD.withRecordsOfResults(true);

    private final long reads;

    QuaestorFigure8d() {
        this(READS);
    }

    QuaestorFigure8d(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        List<CachingResult> all = IntStream.of(QUERIES)
                .parallel()
                .mapToObj(number -> run(KEEPING.withRecords(RECORDS).withQueries(number)))
                .toList();
        CachingResult few = all.get(0);
        CachingResult many = all.get(QUERIES.length - 1);
        CachingResult without = run(LOAD.withRecords(RECORDS).withQueries(QUERIES[QUERIES.length - 1]));
        List<Finding> findings = new ArrayList<>();
        double factor = many.meanRecordLatencyMillis() / few.meanRecordLatencyMillis();
        findings.add(Finding.compared(
                "latency of records, at most queries against fewest",
                "0.75",
                text(factor),
                Math.abs(factor - 0.75) <= 0.075,
                factor > 0.75
                        ? "the paper's copies of records last by themselves, ours end with their list: an origin can"
                                + " report a list's records only when it has evaluated the query"
                        : "it falls more than in the paper"));
        findings.add(Finding.compared(
                "latency of queries, at most queries against fewest",
                "rises",
                text(many.meanQueryLatencyMillis() / few.meanQueryLatencyMillis()),
                many.meanQueryLatencyMillis() > few.meanQueryLatencyMillis(),
                "it does not rise"));
        findings.add(Finding.compared(
                "client hits of queries",
                "fall",
                text(few.clientQueryHitRate()) + " to " + text(many.clientQueryHitRate()),
                many.clientQueryHitRate() < few.clientQueryHitRate(),
                "they do not fall"));
        for (int i = 0; i < QUERIES.length; i++) {
            findings.add(Finding.alone(
                    QUERIES[i] + " queries: latency of records and queries, ms",
                    text(all.get(i).meanRecordLatencyMillis())
                            + ", "
                            + text(all.get(i).meanQueryLatencyMillis()),
                    "client hits of records " + text(all.get(i).clientRecordHitRate())));
        }
        findings.add(Finding.alone(
                "most queries, results' records not kept: latency of records, ms",
                text(without.meanRecordLatencyMillis()),
                "client hits of records " + text(without.clientRecordHitRate())));
        CachingResult fewByDefault =
                run(QuaestorFigure9.withDefaults(KEEPING.withRecords(RECORDS).withQueries(QUERIES[0])));
        CachingResult manyByDefault = run(
                QuaestorFigure9.withDefaults(KEEPING.withRecords(RECORDS).withQueries(QUERIES[QUERIES.length - 1])));
        findings.add(Finding.alone(
                "latency of records, at most queries against fewest, with the defaults",
                text(manyByDefault.meanRecordLatencyMillis() / fewByDefault.meanRecordLatencyMillis()),
                ""));
        return new Reproduction(
                "10 clients of 120 connections that do not pause; 10,000 records, 10 in a result."
                        + QuaestorFigure9.difference(),
                findings);
    }

    private CachingResult run(CachingSpec spec) {
        return CachingModel.run(spec, 840, reads);
    }

    private static String text(double figure) {
        return Phrase.of("%.2f", figure);
    }
}
