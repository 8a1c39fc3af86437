package io.kipimo.labs.reproductions;

import io.kipimo.simulator.caching.CachingModel;
import io.kipimo.simulator.caching.CachingResult;
import io.kipimo.simulator.caching.CachingSpec;
import io.kipimo.simulator.caching.CachingSpec.Mode;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reproduces the throughput of ways of caching at the paper's greatest load, 10 clients of 300 connections each
 * (Quaestor, sec. 6.2, fig. 8a), and the latencies of the same runs (fig. 8b, 8c, 8f). The model's origin is never
 * full, so latency alone limits the throughput.
 */
final class QuaestorFigure8 implements Experiment {
    private static final long READS = 800_000;

    /** Relative difference that counts as a match. The paper's figures are read from plots, or are of one run. */
    private static final double TOLERANCE = 0.1;

    private static final CachingSpec LOAD =
            CachingSpec.PAPER.withLoad(10, 300, 0.001).withRecordsOfResults(true);
    private static final List<CachingSpec> WAYS = List.of(
            LOAD.withMode(Mode.NO_CACHES),
            LOAD.withMode(Mode.CLIENT_FILTER),
            LOAD.withMode(Mode.PURGE),
            LOAD.withMode(Mode.ALL),
            LOAD.withMode(Mode.ALL).withEvaluationTimes(true));

    private final long reads;

    QuaestorFigure8() {
        this(READS);
    }

    QuaestorFigure8(long reads) {
        this.reads = reads;
    }

    @Override
    public Reproduction run() {
        List<CachingResult> all = IntStream.range(0, WAYS.size())
                .parallel()
                .mapToObj(way -> CachingModel.run(WAYS.get(way), 800, reads))
                .toList();
        List<Finding> findings = new ArrayList<>();
        findings.add(factor("filter and purges, against none", 11, all.get(4), all.get(0)));
        findings.add(factor("filter and purges, against filter and clients' caches", 5, all.get(4), all.get(1)));
        findings.add(factor("filter and purges, against purges alone", 1.695, all.get(4), all.get(2)));
        findings.add(Finding.alone(
                "filter and clients' caches, against none",
                text(ratio(all.get(1), all.get(0))),
                "derived from the paper: 11 / 5 = 2.2"));
        findings.add(Finding.alone(
                "purges alone, against none",
                text(ratio(all.get(2), all.get(0))),
                "derived from the paper: 11 / 1.695 = 6.5"));
        findings.add(Finding.alone(
                "filter and purges with all revalidations at the origin, against purges",
                text(ratio(all.get(3), all.get(2))),
                ""));
        findings.add(latency("mean latency of a query, ms", 3.2, all.get(4).meanQueryLatencyMillis()));
        findings.add(latency(
                "mean latency of a read of a record, ms", 17.5, all.get(4).meanRecordLatencyMillis()));
        findings.add(latency(
                "mean latency of hits in the shared cache, ms", 4, all.get(4).meanSharedLatencyMillis()));
        findings.add(latency(
                "mean latency of answers of the origin, ms", 150, all.get(4).meanOriginLatencyMillis()));
        findings.add(Finding.compared(
                "reads with the filter that are staler than Delta",
                "0",
                String.valueOf(all.get(3).tooStale() + all.get(4).tooStale()),
                all.get(3).tooStale() + all.get(4).tooStale() == 0,
                "a guarantee is broken"));
        CachingResult byDefault = CachingModel.run(QuaestorFigure9.withDefaults(WAYS.get(WAYS.size() - 1)), 800, reads);
        findings.add(Finding.alone(
                "filter and purges, against none, with the defaults", text(ratio(byDefault, all.get(0))), ""));
        return new Reproduction(
                "10 clients of 300 connections that do not pause; one of the paper's ten tables; the"
                        + " shared cache answers for stale keys if a copy is proven fresh. Matches within a tenth, more or less."
                        + QuaestorFigure9.difference(),
                findings);
    }

    private static Finding factor(String what, double paper, CachingResult result, CachingResult base) {
        double ours = ratio(result, base);
        return Finding.compared(
                what,
                text(paper),
                text(ours),
                isNear(paper, ours),
                ours < paper
                        ? "what it is divided by does more than in the paper: this origin is never full"
                        : "the paper's factor is lower: its origin is a data base that gets full, ours never is");
    }

    private static Finding latency(String what, double paper, double ours) {
        return Finding.compared(
                what,
                text(paper),
                text(ours),
                isNear(paper, ours),
                ours < paper
                        ? "this origin is never full"
                        : "a hit may wait for an answer that is on its way to the cache");
    }

    private static boolean isNear(double paper, double ours) {
        return Math.abs(ours / paper - 1) <= TOLERANCE;
    }

    private static double ratio(CachingResult result, CachingResult base) {
        return result.operationsPerSecond() / base.operationsPerSecond();
    }

    private static String text(double factor) {
        return Phrase.of("%.2f", factor);
    }
}
