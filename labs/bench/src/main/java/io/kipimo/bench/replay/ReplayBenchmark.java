package io.kipimo.bench.replay;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.profile.ProfileTrial;
import io.kipimo.gateway.profile.Profiler;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures record and replay on services that answer before all of their components have.
 *
 * <p>The first part measures the accuracy and the cost of mature answers under growing skew (Ubora, fig. 6). It does so
 * with memos, which are recorded results, of both components and of one alone. The second part counts mature executions
 * per 100 queries (Ubora, fig. 7), and compares with two other methods. Toggling the time-outs needs no change to a
 * service either. The other method changes the service so that it reads the context of its queries, with memos and
 * without.
 */
public final class ReplayBenchmark implements Benchmark {
    private static final double SAMPLING_RATE = 0.4;
    private static final int QUERIES = 200;
    private static final List<String> BOTH = List.of("one", "two");

    // Figure 6: one component is in time, the other takes longer by the skew.
    private static final double SKEW_PER_SECOND = 10;
    private static final List<Double> SKEWS = List.of(0.2, 0.5, 1.0);
    private static final int ENOUGH_WORKERS = 1_000;

    /** Queries a second of the warm-up. At the lower rates that are measured, compiling the code would take minutes. */
    private static final double WARM_PER_SECOND = 200;

    // Figure 7: modelled on LC.big in table I. Its mean execution without time-outs is 4.6 times
    // the time-out, and its components are busy for 40 % of the time.
    private static final int WORKERS = 4;
    private static final double MEAN_MILLIS = 3.07 * TwoComponents.TIMEOUT_MILLIS;
    private static final double BUSY = 0.4;
    private static final List<Double> SHARES = List.of(0.4, 0.1, 0.03);
    private static final long PERIOD_MILLIS = 5_000;

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(2_000L, 8_000L, 15_000L);
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            warm(millis, redis);
            context.say("warm");
            return new Result(
                    List.of(skewed(context, millis, redis), toggled(context, millis, redis)),
                    List.of(
                            "skewed: for each query one component takes "
                                    + TwoComponents.SHORT_MILLIS
                                    + " ms, the other longer by the skew; the answer is sent when"
                                    + " one responds. Accuracy: 1 - relative error of the mature"
                                    + " answer against the longer running time, mean over answers.",
                            Phrase.of(
                                    "toggling: two components of %d workers, exponential"
                                            + " times of %.0f ms, time-out %d ms, toggled %d times"
                                            + " that; %.1f queries/s keep the workers busy %.0f %%"
                                            + " of the time without measuring.",
                                    WORKERS,
                                    MEAN_MILLIS,
                                    TwoComponents.TIMEOUT_MILLIS,
                                    TwoComponents.TOGGLED,
                                    perSecond(),
                                    100 * BUSY),
                            "mature/100: queries of 100 whose complete answer is known, by a"
                                    + " replay or because nothing was missing while they were"
                                    + " sampled, or while time-outs were toggled.",
                            "slow-downs: mean response time relative to the same queries without"
                                    + " measuring, just before."));
        }
    }

    /** A warm-up trial, whose result is discarded. Without it the first trial's baseline would be slow. */
    private static void warm(long millis, EmbeddedRedis redis) throws Exception {
        try (Setup setup = new Setup(oneTakes(2 * TwoComponents.SHORT_MILLIS), ENOUGH_WORKERS, redis)) {
            var unused = setup.trial(BOTH, SAMPLING_RATE, WARM_PER_SECOND, millis, a -> {});
        }
    }

    private static Table skewed(Context context, long millis, EmbeddedRedis redis) throws Exception {
        Table table = new Table("skewed components, "
                + (int) (100 * SAMPLING_RATE)
                + " % sampled, "
                + (int) SKEW_PER_SECOND
                + " queries/s");
        for (double skew : context.choose(SKEWS.subList(2, 3), SKEWS, SKEWS)) {
            for (List<String> memoized : List.of(BOTH, List.of("one"))) {
                row(table, skew, memoized, millis, redis);
            }
            context.say("skew %.1f", skew);
        }
        return table;
    }

    private static void row(Table table, double skew, List<String> memoized, long millis, EmbeddedRedis redis)
            throws Exception {
        int longMillis = (int) Math.round(TwoComponents.SHORT_MILLIS * (1 + skew));
        Queue<Double> longest = new ConcurrentLinkedQueue<>();
        try (Setup setup = new Setup(oneTakes(longMillis), ENOUGH_WORKERS, redis)) {
            ProfileTrial trial =
                    setup.trial(memoized, SAMPLING_RATE, SKEW_PER_SECOND, millis, answer -> keep(answer, longest));
            double accuracy = 1
                    - longest.stream()
                            .mapToDouble(score -> Math.abs(score - longMillis) / longMillis)
                            .average()
                            .orElse(Double.NaN);
            table.row()
                    .cell("skew, memoized", Phrase.of("%.0f %%, %s", 100 * skew, memoized.size() == 1 ? "one" : "both"))
                    .cell("accuracy", Double.isNaN(accuracy) ? null : accuracy)
                    .cell("replayed/100", trial.replayedPer100())
                    .cell("of sampled, measured", 1 - trial.unmeasuredShare())
                    .cell("baseline ms", trial.baselineMillis())
                    .cell("slow-down unsampled", percent(trial.unsampledSlowdown()))
                    .cell("slow-down sampled", percent(trial.sampledSlowdown()))
                    .cell("queries", trial.queries());
        }
    }

    /** Running time of one component, which is chosen by query; the other component is in time. */
    private static TwoComponents.RunningTime oneTakes(int longMillis) {
        return (component, query) ->
                Math.floorMod(query.hashCode(), 2) == component ? longMillis : TwoComponents.SHORT_MILLIS;
    }

    private static void keep(Answer answer, Queue<Double> longest) {
        if (answer.kind() == AnswerKind.REPLAYED) {
            double most = 0;
            for (float score : answer.items().scores()) {
                most = Math.max(most, score);
            }
            longest.add(most);
        }
    }

    /** Rate at which the workers of each component have the wanted utilisation, queries a second. */
    private static double perSecond() {
        double cutMillis = MEAN_MILLIS * (1 - Math.exp(-TwoComponents.TIMEOUT_MILLIS / MEAN_MILLIS));
        return BUSY * WORKERS / cutMillis * 1_000;
    }

    /** Exponential running time, determined by component and query. */
    private static int exponential(int component, String query) {
        double u = new SplittableRandom(31L * query.hashCode() + component).nextDouble();
        return (int) Math.max(1, Math.round(-MEAN_MILLIS * Math.log(1 - u)));
    }

    private static Table toggled(Context context, long millis, EmbeddedRedis redis) throws Exception {
        Table table = new Table("compared with toggling the time-outs");
        List<ProfileTrial> trials = new ArrayList<>();
        List<Double> rates = List.of(SAMPLING_RATE, SAMPLING_RATE / 4);
        for (double rate : context.choose(rates.subList(0, 1), rates, rates)) {
            try (Setup setup = new Setup(ReplayBenchmark::exponential, WORKERS, redis)) {
                ProfileTrial trial = setup.trial(BOTH, rate, perSecond(), millis, answer -> {});
                trials.add(trial);
                double all = (trial.sampled() * trial.sampledMillis()
                                + (trial.queries() - trial.sampled()) * trial.unsampledMillis())
                        / trial.queries();
                table.row()
                        .cell("method, share sampled or toggled", Phrase.of("gateway, %.0f %%", 100 * rate))
                        .cell("mature/100", trial.maturePer100())
                        .cell("gateway is times", null)
                        .cell("paper", "")
                        .cell("baseline ms", trial.baselineMillis())
                        .cell("slow-down unsampled", percent(trial.unsampledSlowdown()))
                        .cell("slow-down sampled", percent(trial.sampledSlowdown()))
                        .cell("slow-down of all", percent(all / trial.baselineMillis() - 1))
                        .cell("queries", trial.queries());
            }
            context.say("gateway, %.0f %% sampled", 100 * rate);
        }
        tagged(table, "memos", BOTH, "within 16 %", trials.get(0), millis, redis);
        tagged(table, "no memos", List.of(), "1.3 to 2.5", trials.get(0), millis, redis);
        double plainMillis;
        try (Setup setup = new Setup(ReplayBenchmark::exponential, WORKERS, redis)) {
            plainMillis = setup.trial(BOTH, 0, perSecond(), millis, a -> {}).unsampledMillis();
        }
        for (double share : context.choose(SHARES.subList(0, 1), SHARES, SHARES)) {
            try (Setup setup = new Setup(ReplayBenchmark::exponential, WORKERS, redis)) {
                setup.service.toggle(share, PERIOD_MILLIS);
                ProfileTrial trial = setup.trial(BOTH, 0, perSecond(), millis, a -> {});
                // Time-outs are toggled during its baseline, too.
                double mature = 100.0 * setup.service.toggledWhole() / (2.0 * trial.queries());
                table.row()
                        .cell("method, share sampled or toggled", Phrase.of("toggling, %.0f %%", 100 * share))
                        .cell("mature/100", mature)
                        .cell("gateway is times", trials.get(0).maturePer100() / mature)
                        .cell("paper", "7 to 8")
                        .cell("baseline ms", plainMillis)
                        .cell("slow-down unsampled", null)
                        .cell("slow-down sampled", null)
                        .cell("slow-down of all", percent(trial.unsampledMillis() / plainMillis - 1))
                        .cell("queries", trial.queries());
            }
            context.say("toggled %.0f %% of the time", 100 * share);
        }
        return table;
    }

    /**
     * Adds a row for a service that reads the context of its queries itself, and so waits for all components in a
     * replay.
     */
    private static void tagged(
            Table table,
            String what,
            List<String> memoized,
            String paper,
            ProfileTrial gateway,
            long millis,
            EmbeddedRedis redis)
            throws Exception {
        try (Setup setup = new Setup(ReplayBenchmark::exponential, WORKERS, redis)) {
            setup.service.readContext();
            ProfileTrial trial = setup.trial(memoized, SAMPLING_RATE, perSecond(), millis, answer -> {});
            table.row()
                    .cell(
                            "method, share sampled or toggled",
                            Phrase.of("tagged, %s, %.0f %%", what, 100 * SAMPLING_RATE))
                    .cell("mature/100", trial.maturePer100())
                    .cell("gateway is times", gateway.maturePer100() / trial.maturePer100())
                    .cell("paper", paper)
                    .cell("baseline ms", trial.baselineMillis())
                    .cell("slow-down unsampled", percent(trial.unsampledSlowdown()))
                    .cell("slow-down sampled", percent(trial.sampledSlowdown()))
                    .cell("slow-down of all", null)
                    .cell("queries", trial.queries());
        }
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : Phrase.of("%.1f %%", 100 * share);
    }

    /** The service, and the configuration of the gateway around it. */
    private static final class Setup implements AutoCloseable {
        private final TwoComponents service;
        private final GatewayConfig config;

        Setup(TwoComponents.RunningTime time, int workers, EmbeddedRedis redis) {
            int[] ports = FreePorts.distinct(6);
            config = config(ports, redis);
            service = new TwoComponents(
                    time, workers, ports[3], new int[] {ports[1], ports[2]}, new int[] {ports[4], ports[5]});
        }

        /** Runs one trial. Arrival times and ids are equal in each trial. */
        ProfileTrial trial(List<String> memoized, double rate, double perSecond, long millis, Consumer<Answer> answers)
                throws IOException, InterruptedException {
            // The rates in the settings are for search queries.
            Profiler.Trial settings = new Profiler.Trial(
                    IntStream.range(0, QUERIES).mapToObj(i -> "/search?q=" + i).toList(),
                    perSecond,
                    millis,
                    List.of(1.0),
                    1);
            return new Profiler(config, settings, t -> {}).once(Set.copyOf(memoized), rate, answers);
        }

        @Override
        public void close() {
            service.close();
        }

        private static GatewayConfig config(int[] ports, EmbeddedRedis redis) {
            return ConfigFile.read(
                    """
                    service: two
                    threads: 1
                    admin: 127.0.0.1:0
                    record: {redis: ['%s:%d'], timeout: 1500ms, expiration: 5s, replay: true}
                    listeners:
                      - name: front
                        role: front
                        listen: 127.0.0.1:%d
                        servers: ['127.0.0.1:%d']
                        items: {array: /hits}
                      - name: one
                        role: component
                        listen: 127.0.0.1:%d
                        servers: ['127.0.0.1:%d']
                      - name: two
                        role: component
                        listen: 127.0.0.1:%d
                        servers: ['127.0.0.1:%d']
                    """.formatted(
                            redis.host(), redis.port(), ports[0], ports[3], ports[1], ports[4], ports[2], ports[5]),
                    null,
                    "bench");
        }
    }
}
