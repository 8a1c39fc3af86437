package io.kipimo.bench.replication;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.machine.JobProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.examples.tiers.Interference;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Services of two tiers with a gateway before each tier. Neighbours interfere with the servers. The replicator searches
 * the factors on live traffic. In parallel, an identical service with the same neighbours at the same times runs
 * without replication.
 */
public final class LiveReplicationBenchmark implements Benchmark {
    private static final String BACKEND = "hashmap";

    @Override
    public Result run(Context context) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        context.say("starting broker and jobs");
        try (BrokerProcess broker = BrokerProcess.start()) {
            try {
                run(context, broker.settings("live."), pairs);
                return result(pairs);
            } finally {
                pairs.forEach(Pair::close);
            }
        }
    }

    private static void run(Context context, KafkaSettings kafka, List<Pair> pairs) throws Exception {
        Map<String, String> quickly = Map.of(
                "tails.window", "1 s",
                "source.out-of-orderness", "200 ms",
                "parallelism.default", "1");
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        for (Pair.Suffering who : Pair.Suffering.values()) {
            pairs.add(Pair.announce(kafka, who, context.choose(1_000, 8_000, 15_000)));
        }
        try (JobProcess tails = new JobProcess(TailsJob.NAME, kafka, BACKEND, quickly);
                JobProcess replication = new JobProcess(
                        ReplicationJob.NAME, kafka, BACKEND, Map.of("source.out-of-orderness", "200 ms"))) {
            for (Pair pair : pairs) {
                pair.start();
            }
            search(context, pairs);
            tails.requireAlive();
            replication.requireAlive();
            long millis = context.choose(2_000L, 60_000L, 120_000L);
            context.say("measuring for %d s", millis / 1_000);
            pairs.forEach(pair -> pair.measure(true));
            watch(pairs, millis);
            pairs.forEach(pair -> pair.measure(false));
        }
    }

    /** Waits until every search has ended, at most the time available. */
    private static void search(Context context, List<Pair> pairs) throws InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(context.choose(5L, 100L, 240L));
        int told = 0;
        while (System.nanoTime() < untilNanos && !pairs.stream().allMatch(Pair::isSettled)) {
            watch(pairs, 1_000);
            if (++told % 20 == 0) {
                pairs.forEach(pair -> context.say("%s", pair));
            }
        }
    }

    private static void watch(List<Pair> pairs, long millis) throws InterruptedException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < untilNanos) {
            TimeUnit.MILLISECONDS.sleep(50);
            pairs.forEach(Pair::sample);
        }
    }

    private static Result result(List<Pair> pairs) {
        Table table = new Table("two tiers of 4 servers, milliseconds");
        pairs.forEach(pair -> pair.row(table));
        List<String> notes = new ArrayList<>(pairs.stream().map(Pair::trials).toList());
        notes.addAll(List.of(
                Phrase.of(
                        "neighbours come to each server every %.1f s and stay %.1f s, which"
                                + " slows its copies down %.0f times; undisturbed they take"
                                + " an exponential time of %.0f ms; %.0f requests/s, Poisson.",
                        Pair.PATTERN.meanGapMillis() / 1e3,
                        Pair.PATTERN.meanLengthMillis() / 1e3,
                        Pair.PATTERN.slowdown(),
                        Pair.MEAN_MILLIS,
                        Pair.PER_SECOND),
                "neighbours take the published share of the time ("
                        + Interference.Pattern.PUBLISHED.meanGapMillis() / 1e3
                        + " s, "
                        + Interference.Pattern.PUBLISHED.meanLengthMillis() / 1e3
                        + " s), in shorter turns, so that a trial includes several.",
                "factors: those in force while p99 was measured, by share of the time."));
        return new Result(List.of(table), notes);
    }
}
