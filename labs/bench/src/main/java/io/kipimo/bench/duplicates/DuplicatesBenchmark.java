package io.kipimo.bench.duplicates;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.core.replication.SimulatedQueues;
import io.kipimo.core.replication.Traffic;
import io.kipimo.duplicates.DuplicateProxy;
import io.kipimo.duplicates.DuplicateStanding;
import io.kipimo.duplicates.DuplicatesClient;
import io.kipimo.duplicates.OrderedLog;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.Await;
import io.kipimo.embedded.process.Started;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.redis.RedisSettings;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures the share of reads and writes that 1, 2 and 4 duplicates answer within a bound. Each duplicate is a Redis
 * that stalls at random, independently of the others. Beside it stands the prediction of {@code kipimo predict}, made
 * from the rates of arrivals and of stalls and from the times of single accesses without stalls (Zoolander, sec. 5.1).
 * The bound is the 90th percentile of a single duplicate under load, as in the paper.
 */
public final class DuplicatesBenchmark implements Benchmark {
    private static final int[] COUNTS = {1, 2, 4};
    private static final int MOST = 4;
    private static final double PER_SECOND = 100;
    private static final double BOUND_SHARE = 0.9;
    private static final int KEYS = 1_000;
    private static final int VALUE_BYTES = 2_048;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final String TOPIC = "bench-ordered-writes";

    /** Number of accesses, one after another, by which times without load are measured. */
    private static final int MEASURED = 2_000;

    private record DuplicatesKind(boolean writes, int duplicates) {}

    /** Times of accesses without load and without stalls, milliseconds. */
    private record Alone(double[] reads, double[] writes) {}

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(1_000L, 5_000L, 15_000L);
        Result measured;
        try (Started running = new Started(problem -> context.say("%s", problem))) {
            EmbeddedKafka broker = running.keep(EmbeddedKafka.start());
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrapServers());
            OrderedLog.create(kafka, TOPIC, (short) 1);
            List<Address> duplicates = new ArrayList<>();
            List<EmbeddedRedis> stores = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                stores.add(running.keep(EmbeddedRedis.start()));
                duplicates.add(duplicate(kafka, stores.get(i), running));
            }
            int times = context.choose(200, MEASURED, MEASURED);
            Alone alone;
            try (DuplicatesClient client =
                    DuplicatesClient.connect(kafka, TOPIC, duplicates.subList(0, 1), PATIENCE_MILLIS)) {
                alone = new Alone(alone(client, false, times), alone(client, true, times));
            }
            for (int i = 0; i < MOST; i++) {
                running.keep(new Stalls(stores.get(i).host(), stores.get(i).port(), i));
            }
            measured = measure(context, millis, kafka, duplicates, alone);
        }
        List<Table> tables = new ArrayList<>(measured.tables());
        tables.add(BusyDuplicates.run(context));
        return new Result(tables, measured.notes());
    }

    /** Times in milliseconds of accesses that follow one another. */
    private static double[] alone(DuplicatesClient client, boolean writes, int times) {
        double[] millis = new double[times];
        for (int i = -times / 10; i < times; i++) {
            long start = System.nanoTime();
            ask(client, key(), writes).join();
            if (i >= 0) {
                millis[i] = (System.nanoTime() - start) / 1e6;
            }
        }
        return millis;
    }

    private static Address duplicate(KafkaSettings kafka, EmbeddedRedis redis, Started running) throws Exception {
        DuplicateProxy proxy = running.keep(DuplicateProxy.start(new DuplicateProxy.Duplicating(
                kafka,
                TOPIC,
                RedisSettings.of(redis.host(), redis.port()),
                new Address("127.0.0.1", 0),
                DuplicateProxy.Duplicating.PATIENCE_MILLIS)));
        Await.until(
                () -> proxy.standing() == DuplicateStanding.SERVING,
                Duration.ofMillis(PATIENCE_MILLIS),
                () -> "a duplicate " + proxy.standing().inWords());
        return new Address("127.0.0.1", proxy.port());
    }

    private static Result measure(
            Context context, long millis, KafkaSettings kafka, List<Address> duplicates, Alone alone) throws Exception {
        SubjectComparison<DuplicatesKind, OpenRequests> comparison = new SubjectComparison<>(context);
        LongAdder disagreements = new LongAdder();
        for (boolean writes : new boolean[] {false, true}) {
            for (int count : COUNTS) {
                comparison.add(new DuplicatesKind(writes, count), round -> {
                    // Each duplicate in turn, so that the figure of a single one is the
                    // mean of all.
                    List<Address> chosen = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        chosen.add(duplicates.get(Math.floorMod(round + i, MOST)));
                    }
                    OpenRequests arrivals = new OpenRequests();
                    try (DuplicatesClient client = DuplicatesClient.connect(kafka, TOPIC, chosen, PATIENCE_MILLIS)) {
                        ask(client, "warm", true).join();
                        arrivals.run(
                                PER_SECOND,
                                round < 0 ? Math.min(millis, 2_000) : millis,
                                round,
                                () -> ask(client, key(), writes));
                        disagreements.add(client.disagreements());
                    }
                    return arrivals;
                });
            }
        }
        return report(comparison.run(), disagreements.sum(), alone);
    }

    private static double[] millis(Repetitions<OpenRequests> rounds) {
        return rounds.all().stream()
                .flatMapToDouble(round -> Arrays.stream(round.millis()))
                .toArray();
    }

    private static String key() {
        return "key-" + ThreadLocalRandom.current().nextInt(KEYS);
    }

    private static CompletableFuture<?> ask(DuplicatesClient client, String key, boolean writes) {
        return writes ? client.put(key, new byte[VALUE_BYTES]) : client.read(key);
    }

    private static Result report(
            Map<DuplicatesKind, Repetitions<OpenRequests>> found, long disagreements, Alone alone) {
        List<Table> tables = new ArrayList<>();
        long failures = 0;
        for (boolean writes : new boolean[] {false, true}) {
            double[] one = millis(found.get(new DuplicatesKind(writes, 1)));
            double boundMillis = percentile(one, BOUND_SHARE);
            Table table = new Table((writes ? "writes" : "reads") + Phrase.of(" within %.2f ms", boundMillis));
            for (int count : COUNTS) {
                Repetitions<OpenRequests> arrivals = found.get(new DuplicatesKind(writes, count));
                failures += (long) arrivals.sum(OpenRequests::failures);
                double[] millis = millis(arrivals);
                double inTime = ServiceTimes.measured(millis).shareAtMost(boundMillis);
                double predicted = predicted(alone, writes, boundMillis, count);
                table.row()
                        .cell("duplicates", count)
                        .cell("in time", share(inTime))
                        .cell("predicted", share(predicted))
                        .cell("difference", share(inTime - predicted))
                        .cell("p50 ms", percentile(millis, 0.5))
                        .cell("p99 ms", percentile(millis, 0.99))
                        .cell("requests", (long) millis.length);
            }
            tables.add(table);
        }
        return new Result(
                tables,
                List.of(
                        "each Redis stalls independently for "
                                + (int) Stalls.MEAN_STALL_MILLIS
                                + " ms on average, "
                                + (int) Stalls.MEAN_GAP_MILLIS
                                + " ms after the last stall (exponential); "
                                + (int) PER_SECOND
                                + " requests/s, Poisson; times count from the scheduled time.",
                        "predicted: kipimo predict from "
                                + alone.reads().length
                                + " accesses one after another without stalls, and these rates; the"
                                + " log counts as network. Clients and proxies share this machine,"
                                + " which the prediction ignores.",
                        failures + " requests failed, " + disagreements + " results disagreed."));
    }

    private static double predicted(Alone alone, boolean writes, double bound, int duplicates) {
        ServiceTimes reads = ServiceTimes.measured(alone.reads());
        double logMillis =
                writes ? Math.max(0, ServiceTimes.measured(alone.writes()).meanMillis() - reads.meanMillis()) : 0;
        Traffic traffic = new Traffic(
                PER_SECOND,
                1,
                logMillis,
                new Traffic.ServerStalls(Stalls.MEAN_GAP_MILLIS, Stalls.MEAN_STALL_MILLIS, 0));
        return SimulatedQueues.mix(List.of(reads), bound, 1, duplicates, traffic, 1)
                .serviceLevel();
    }

    static String share(double share) {
        return Phrase.of("%.4f", share);
    }

    static double percentile(double[] millis, double share) {
        double[] ascending = millis.clone();
        Arrays.sort(ascending);
        return ascending[(int) Math.min(ascending.length - 1, Math.ceil(share * ascending.length))];
    }
}
