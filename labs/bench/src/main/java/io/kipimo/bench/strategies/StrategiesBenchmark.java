package io.kipimo.bench.strategies;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.core.rating.RatingCosts;
import io.kipimo.core.rating.RatingDuration;
import io.kipimo.labs.social.SocialSettings;
import io.kipimo.labs.social.SocialTarget;
import io.kipimo.labs.social.graph.ActionMix;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.StateMode;
import io.kipimo.labs.social.state.Strategies;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.labs.social.validation.ReadCounts;
import io.kipimo.loadgen.generator.Load;
import io.kipimo.loadgen.generator.LoadRun;
import io.kipimo.loadgen.generator.RunSettings;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Time that each method of restoring Redis takes, by size and share of writes, and the resulting time of a whole
 * rating: measured, and by equations 1 and 2 (On Expedited Rating of Data Stores, like tables 6 to 9). The peer is the
 * plain method: a new load, here with pipelining.
 */
public final class StrategiesBenchmark implements Benchmark {
    private static final int USERS = 8;

    /** Of no effect, as only counts are read; it ends the wait for open requests. */
    private static final long BOUND_MICROS = 1_000_000;

    private static final int CONNECTIONS = 16;
    private static final int FRIENDS = 100;
    private static final int RESOURCES = 10;
    private static final int EXPERIMENTS = 11;

    /** A method of restoring; images exist with and without a restart of the process. */
    private record RestoreWay(String name, StateMode mode, boolean restarts) {}

    private static final List<RestoreWay> WAYS = List.of(
            new RestoreWay("reload", StateMode.RELOAD, false),
            new RestoreWay("repair", StateMode.REPAIR, false),
            new RestoreWay("image (restart)", StateMode.IMAGE, true),
            new RestoreWay("image (dump)", StateMode.IMAGE, false));

    private static final List<RestoreWay> HYBRIDS = List.of(
            new RestoreWay("load-free", StateMode.LOAD_FREE, false),
            new RestoreWay("load-free+repair", StateMode.LOAD_FREE_REPAIR, false),
            new RestoreWay("load-free+image", StateMode.LOAD_FREE_IMAGE, true));

    @Override
    public Result run(Context context) throws Exception {
        List<Integer> sizes = context.choose(List.of(300), List.of(500, 2_000), List.of(1_000, 3_000, 10_000));
        List<String> mixes =
                context.choose(List.of("high"), List.of("low", "high"), List.of("very-low", "low", "high"));
        long millis = context.choose(200L, 1_000L, 2_000L);
        int ratedSize = context.choose(300, 2_000, 10_000);
        try (RestartableRedis redis = new RestartableRedis()) {
            // The first load in a JVM is slow.
            MeasuredRating unused = rate(redis, graph(sizes.get(0)), WAYS.get(0), millis / 4);
            Table restoring = new Table("Restoring after an experiment, seconds");
            for (int size : sizes) {
                for (String mix : mixes) {
                    restoring(context, redis, graph(size), mix, millis, restoring);
                }
            }
            Table rating = new Table(
                    Phrase.of("A rating of %d experiments, %,d members, mix high, seconds", EXPERIMENTS, ratedSize));
            rating(context, redis, graph(ratedSize), millis, rating);
            Table validating =
                    new Table(Phrase.of("Validating reads, %,d members, mix high, best repetition", ratedSize));
            validating(context, redis, graph(ratedSize), millis, validating);
            return new Result(
                    List.of(restoring, rating, validating),
                    List.of(
                            "Redis "
                                    + redis.version().orElse("?")
                                    + " on the loopback, "
                                    + FRIENDS
                                    + " friends and "
                                    + RESOURCES
                                    + " resources a member, a request and a comment each;"
                                    + " experiments of "
                                    + millis
                                    + " ms with "
                                    + USERS
                                    + " users, reads validated",
                            "load: the first load, with the image if the method needs one (the"
                                    + " column 'load' of the first table: without); state: the"
                                    + " digest of all keys is unchanged after each method",
                            "the rating's last run takes twice the time and is restored before as"
                                    + " well; hybrids restore before every fourth; the model's"
                                    + " speed-up is over reload's zeta and omega"));
        }
    }

    private static SocialGraph graph(int members) {
        return SocialGraph.of(members, FRIENDS, RESOURCES);
    }

    private static SocialTarget target(RestartableRedis redis, SocialGraph graph, String mix, RestoreWay way) {
        RedisSocialStore store = RedisSocialStore.at(redis.address(), CONNECTIONS);
        return new SocialTarget(
                SocialSettings.of(graph, ActionMix.parse(mix)),
                store,
                way.mode,
                Strategies.of(way.mode.restore(), store, graph, way.restarts ? redis.command() : List.of()));
    }

    /** A closed load without think time. */
    private static ExperimentCounts ask(Workload workload, long millis, long seed) throws InterruptedException {
        return LoadRun.measure(
                        workload,
                        new RunSettings(new Load.Closed(USERS, 0), Share.WHOLE, 0, millis, BOUND_MICROS, seed))
                .counts();
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static void restoring(
            Context context, RestartableRedis redis, SocialGraph graph, String mix, long millis, Table table)
            throws Exception {
        Map<String, Double> times = new LinkedHashMap<>();
        double load = 0;
        long requests = 0;
        int written = 0;
        boolean right = true;
        for (RestoreWay way : WAYS) {
            try (SocialTarget target = target(redis, graph, mix, way);
                    RedisSocialStore store = RedisSocialStore.at(redis.address(), 1)) {
                long began = System.nanoTime();
                target.prepare();
                if (way.mode == StateMode.RELOAD) {
                    load = seconds(began);
                }
                String before = store.digest();
                Repetitions<Double> own = new Repetitions<>();
                for (int i = 0; i < context.repetitions(); i++) {
                    try (Workload workload = target.open(Share.WHOLE)) {
                        requests = ask(workload, millis, i).requests();
                    }
                    written = target.writtenItems();
                    long restoring = System.nanoTime();
                    target.prepare();
                    own.add(seconds(restoring));
                }
                store.reconnect();
                right &= before.equals(store.digest());
                times.put(way.name, own.median(seconds -> seconds));
                context.say("%,7d members, %-8s %-16s %8.3f s", graph.members(), mix, way.name, times.get(way.name));
            }
        }
        Table.Row row = table.row()
                .cell("members", graph.members())
                .cell("mix", mix)
                .cell("requests", requests)
                .cell("items written", written)
                .cell("load", load);
        times.forEach(row::cell);
        row.cell("state", right ? "right" : "WRONG");
    }

    /** Cost of validating reads behind the requests, on all cores. */
    private static void validating(Context context, RestartableRedis redis, SocialGraph graph, long millis, Table table)
            throws Exception {
        SocialSettings settings = SocialSettings.of(graph, ActionMix.parse("high"));
        SubjectComparison<String, Validated> comparison = new SubjectComparison<String, Validated>(context).quietly();
        for (String side : List.of("validated", "not validated")) {
            boolean validates = side.equals("validated");
            SocialSettings chosen = validates ? settings : settings.withoutValidation();
            comparison.add(side, round -> {
                RedisSocialStore store = RedisSocialStore.at(redis.address(), CONNECTIONS);
                try (SocialTarget target =
                        new SocialTarget(chosen, store, StateMode.RELOAD, Strategies.reload(store, graph))) {
                    target.prepare();
                    long asked;
                    try (Workload workload = target.open(Share.WHOLE)) {
                        asked = ask(workload, millis, round).requests();
                    }
                    ReadCounts reads = target.counts(0).reads();
                    return new Validated(
                            asked * 1e3 / millis,
                            validates ? reads.judged() : null,
                            validates ? reads.skipped() : null);
                }
            });
        }
        comparison.run().forEach((side, runs) -> table.row()
                .cell("reads", side)
                .cell("actions/s", runs.best(Validated::actionsPerSecond))
                .cell("judged", runs.last().judged)
                .cell("skipped", runs.last().skipped));
    }

    /** One repetition; null where reads are not validated. */
    private record Validated(double actionsPerSecond, Long judged, Long skipped) {}

    /** Costs of one whole rating, and its measured time. */
    private record MeasuredRating(RatingCosts costs, double took, long unpredictable) {}

    private static void rating(Context context, RestartableRedis redis, SocialGraph graph, long millis, Table table)
            throws Exception {
        List<RestoreWay> ways = new ArrayList<>(WAYS);
        ways.addAll(HYBRIDS);
        Map<String, MeasuredRating> all = new LinkedHashMap<>();
        for (RestoreWay way : ways) {
            MeasuredRating rated = rate(redis, graph, way, millis);
            all.put(way.name, rated);
            context.say("rating, %-16s %8.2f s", way.name, rated.took);
        }
        MeasuredRating simple = all.get("reload");
        all.forEach((name, rated) -> table.row()
                .cell("way", name)
                .cell("load (zeta)", rated.costs.load())
                .cell("restore (nu)", rated.costs.restore())
                .cell("restores (omega)", rated.costs.restores())
                .cell("measured", rated.took)
                .cell("by equation 1", RatingDuration.total(rated.costs))
                .cell("speed-up, measured", simple.took / rated.took)
                .cell(
                        "speed-up by equation 2",
                        RatingDuration.speedUpOfRestoring(rated.costs, simple.costs.load(), simple.costs.restores()))
                .cell("unpredictable reads", rated.unpredictable));
    }

    private static MeasuredRating rate(RestartableRedis redis, SocialGraph graph, RestoreWay way, long millis)
            throws Exception {
        long began = System.nanoTime();
        double load = 0;
        double restoring = 0;
        int restores = 0;
        long unpredictable = 0;
        try (SocialTarget target = target(redis, graph, "high", way)) {
            for (int i = 0; i <= EXPERIMENTS; i++) {
                long preparing = System.nanoTime();
                Restoration done = target.prepare();
                if (done == Restoration.CREATED) {
                    load = seconds(preparing);
                } else if (done == Restoration.RESTORED) {
                    restoring += seconds(preparing);
                    restores++;
                }
                try (Workload workload = target.open(Share.WHOLE)) {
                    ExperimentCounts tally = ask(workload, i < EXPERIMENTS ? millis : 2 * millis, i);
                    unpredictable += tally.unpredictable();
                    target.after(tally);
                }
            }
        }
        double experiment = millis / 1e3;
        return new MeasuredRating(
                new RatingCosts(
                        load,
                        restores == 0 ? 0 : restoring / restores,
                        restores,
                        EXPERIMENTS,
                        0,
                        experiment,
                        2 * experiment),
                seconds(began),
                unpredictable);
    }
}
