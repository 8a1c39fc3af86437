package io.kipimo.bench.replay;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.profile.ProfileSettings;
import io.kipimo.gateway.profile.Profiler;
import io.kipimo.gateway.profile.Trial;
import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.redis.EmbeddedRedis;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Record and replay on a service whose slower component misses every answer: how near mature
 * answers come to what both components say, and what it costs, under growing skew (Ubora, fig. 6);
 * with both components memoized, and with one alone.
 */
public final class ReplayBenchmark implements Benchmark {
    private static final double PER_SECOND = 5;
    private static final double SAMPLING_RATE = 0.4;
    private static final int QUERIES = 200;
    private static final List<Double> SKEWS = List.of(0.2, 0.5, 1.0);

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String summary() {
        return "mature answers by record and replay: how exact, how many per 100 queries, at what cost";
    }

    @Override
    public Result run(Context context) throws Exception {
        long millis = context.choose(2_000L, 10_000L, 60_000L);
        Table table =
                Table.of(
                        "two components, "
                                + (int) (100 * SAMPLING_RATE)
                                + " % sampled, "
                                + (int) PER_SECOND
                                + " queries/s",
                        "skew, memoized",
                        "accuracy",
                        "replayed/100",
                        "of sampled, measured",
                        "slow-down unsampled",
                        "slow-down sampled",
                        "queries");
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            for (double skew : SKEWS) {
                for (Set<String> memoized : List.of(Set.of("one", "two"), Set.of("one"))) {
                    row(table, skew, memoized, millis, redis);
                }
                context.say("skew %.1f", skew);
            }
        }
        return new Result(
                List.of(table),
                List.of(
                        "each query: one component "
                                + TwoComponents.SHORT_MILLIS
                                + " ms, the other longer by the skew; the answer leaves when the"
                                + " shorter is in. Accuracy: 1 - relative error of the mature answer"
                                + " against the longer running time, mean of all that were told.",
                        "slow-downs: mean response time beside the same queries without sampling,"
                                + " just before."));
    }

    private static void row(
            Table table, double skew, Set<String> memoized, long millis, EmbeddedRedis redis)
            throws Exception {
        int[] ports = FreePorts.distinct(6);
        GatewayConfig config = config(ports, redis);
        ProfileSettings settings =
                new ProfileSettings(
                        IntStream.range(0, QUERIES).mapToObj(i -> "/search?q=" + i).toList(),
                        PER_SECOND,
                        millis,
                        List.of(SAMPLING_RATE),
                        1);
        Queue<Double> longest = new ConcurrentLinkedQueue<>();
        try (TwoComponents service =
                new TwoComponents(
                        skew,
                        ports[3],
                        new int[] {ports[1], ports[2]},
                        new int[] {ports[4], ports[5]})) {
            Trial trial =
                    new Profiler(config, settings, t -> {})
                            .once(memoized, SAMPLING_RATE, answer -> keep(answer, longest));
            double accuracy =
                    1
                            - longest.stream()
                                    .mapToDouble(
                                            score ->
                                                    Math.abs(score - service.longMillis())
                                                            / service.longMillis())
                                    .average()
                                    .orElse(Double.NaN);
            table.row(
                    String.format(
                            Locale.ROOT,
                            "%.0f %%, %s",
                            100 * skew,
                            memoized.size() == 1 ? "one" : "both"),
                    Double.isNaN(accuracy) ? null : accuracy,
                    trial.replayedPer100(),
                    1 - trial.unmeasuredShare(),
                    percent(trial.unsampledSlowdown()),
                    percent(trial.sampledSlowdown()),
                    trial.queries());
        }
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
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

    private static GatewayConfig config(int[] ports, EmbeddedRedis redis) {
        return ConfigFile.read(
                """
                service: two
                threads: 1
                admin: 127.0.0.1:0
                record: {redis: ['%s:%d'], timeout: 1s, expiration: 5s, replay: true}
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
                """
                        .formatted(
                                redis.host(),
                                redis.port(),
                                ports[0],
                                ports[3],
                                ports[1],
                                ports[4],
                                ports[2],
                                ports[5]),
                null,
                "bench");
    }
}
