package io.kipimo.bench.foreseen;

import io.kipimo.bench.report.Context;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.OfferedQuery;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Records all queries of the example's front end: every answer is measured, so every late result is waited for. The
 * load is changed between turns, so that about a third of the answers is incomplete whatever else the machine does.
 */
final class LiveRecorder implements Telemetry {
    private static final int TOP_K = 20;
    private static final String SERVICE = "foreseen";
    private static final Duration DEADLINE = Duration.ofMillis(100);

    /** Late results are waited for this long. */
    private static final Duration EXPIRATION = Duration.ofSeconds(4);

    private static final Duration TURN = Duration.ofSeconds(4);
    private static final double FIRST_PER_SECOND = 50;

    /** Incomplete answers that a turn should have at least and at most, 0..1. */
    private static final double LEAST = 0.25;

    private static final double MOST = 0.45;

    /** Of the load, for answers that are all complete instead of none. */
    private static final double FACTOR = 6;

    private static final int MOST_TURNS = 100;
    private static final Merge MERGE = Merges.of(MergePolicy.TOP_K);

    private final Map<String, LiveQuery> open = new ConcurrentHashMap<>();

    /** A query of which results may still come; its front end's event loop writes. */
    private static final class LiveQuery {
        final long startMicros = EpochMicros.now();
        final double cost;
        final Features features;
        final Map<String, PartialResult> results = new ConcurrentHashMap<>();
        volatile Optional<Answer> answer = Optional.empty();

        LiveQuery(double cost, Features features) {
            this.cost = cost;
            this.features = features;
        }

        boolean isMature() {
            return answer.map(a -> a.invocations().size() == results.size()).orElse(false);
        }
    }

    static FrontEndSettings settings() {
        return new FrontEndSettings(SERVICE, SERVICE, DEADLINE, EXPIRATION, TOP_K);
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return true;
    }

    @Override
    public FanOutChoice choose(OfferedQuery query, Features features, List<String> components) {
        open.put(query.id(), new LiveQuery(query.cost(), features));
        return Telemetry.super.choose(query, features, components);
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return true;
    }

    @Override
    public void answer(Answer answer) {
        // What comes after its turn finds its query gone.
        Optional.ofNullable(open.get(answer.queryId())).ifPresent(o -> o.answer = Optional.of(answer));
    }

    @Override
    public void partial(PartialResult partial) {
        Optional.ofNullable(open.get(partial.queryId())).ifPresent(o -> o.results.put(partial.component(), partial));
    }

    /**
     * Sends load in turns and records them.
     *
     * @param port of the front end that has this telemetry
     */
    List<Recording> record(Context context, String name, int port, QueryWriter writer, LoadGenerator generator)
            throws InterruptedException {
        int enough = context.choose(100, 5_000, 10_000);
        double perSecond = FIRST_PER_SECOND;
        long seed = 1;
        boolean isFound = false;
        List<Recording> recordings = new ArrayList<>();
        for (int run = 0; run < context.choose(1, 2, 3); run++) {
            List<RecordedQuery> queries = new ArrayList<>();
            int expired = 0;
            for (int turn = 0; turn < MOST_TURNS && queries.size() < enough; turn++) {
                open.clear();
                double incomplete = send(generator, port, writer, perSecond, seed++);
                isFound |=
                        (incomplete >= LEAST && incomplete <= MOST) || context.effort() == Context.BenchmarkEffort.TINY;
                if (isFound) {
                    Collection<LiveQuery> asked = List.copyOf(open.values());
                    asked.stream()
                            .filter(LiveQuery::isMature)
                            .map(LiveRecorder::recorded)
                            .forEach(queries::add);
                    expired += (int) asked.stream().filter(o -> !o.isMature()).count();
                }
                perSecond *= Math.pow(FACTOR, (LEAST + MOST) / 2 - incomplete);
            }
            if (queries.isEmpty()) {
                throw new IllegalStateException(name + ": no load makes a third of the answers incomplete");
            }
            Recording recording = new Recording(queries, DEADLINE.toNanos() / 1_000);
            context.say(
                    "%s, run %d: %d queries, %d expired, %.2f complete, at last %.0f/s",
                    name, run + 1, queries.size(), expired, recording.completeShare(), perSecond);
            recordings.add(recording);
        }
        return recordings;
    }

    /** The share of incomplete answers of one turn, when all late results are there. */
    private double send(LoadGenerator generator, int port, QueryWriter writer, double perSecond, long seed)
            throws InterruptedException {
        ArrivalTrace trace = ArrivalTrace.of(TraceSettings.flat(TURN, perSecond, QueryMix.STEADY, seed), writer);
        double incomplete =
                generator.run(new LoadTarget(port, port), trace, seed).high().degradedShare();
        long untilNanos = System.nanoTime() + EXPIRATION.toNanos();
        while (System.nanoTime() < untilNanos && !open.values().stream().allMatch(LiveQuery::isMature)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return incomplete;
    }

    private static RecordedQuery recorded(LiveQuery query) {
        long deadlineMicros = DEADLINE.toNanos() / 1_000;
        List<Invocation> invocations = query.answer.orElseThrow().invocations().stream()
                .sorted(Comparator.comparing(Invocation::component))
                .toList();
        List<PartialResult> results =
                invocations.stream().map(i -> query.results.get(i.component())).toList();
        long[] latencyMicros = IntStream.range(0, results.size())
                .mapToLong(c -> {
                    long micros = results.get(c).latencyMicros();
                    // The deadline counts from the intended start, latencies from when components were asked.
                    return invocations.get(c).outcome() == Outcome.IN_TIME
                            ? Math.min(deadlineMicros, micros)
                            : Math.max(deadlineMicros + 1, micros);
                })
                .toArray();
        Ranking mature = MERGE.merge(
                results.stream().map(r -> new Part(r.component(), r.items())).toList(), TOP_K);
        long[] found = results.stream()
                .map(result -> mature.ranksOf(result.items()).toLongArray())
                .mapToLong(ranks -> ranks.length == 0 ? 0 : ranks[0])
                .toArray();
        double[] kthScore = new double[Moment.values().length];
        for (Moment moment : Moment.values()) {
            kthScore[moment.ordinal()] = kthScore(IntStream.range(0, results.size())
                    .filter(c -> latencyMicros[c] <= moment.micros(deadlineMicros))
                    .mapToObj(results::get)
                    .toList());
        }
        return new RecordedQuery(
                query.startMicros,
                query.startMicros + LongStream.of(latencyMicros).max().orElseThrow(),
                query.cost,
                query.features.hashes(),
                latencyMicros,
                found,
                kthScore);
    }

    private static double kthScore(List<PartialResult> results) {
        double[] scores = results.stream()
                .flatMapToDouble(r -> IntStream.range(0, r.items().size()).mapToDouble(r.items()::score))
                .sorted()
                .toArray();
        return scores.length < TOP_K ? 0 : scores[scores.length - TOP_K];
    }
}
