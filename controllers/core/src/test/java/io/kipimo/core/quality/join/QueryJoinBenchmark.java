package io.kipimo.core.quality.join;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * One query of several components with 20 items each, through the join: scans and decodes its events, then makes and
 * writes its measurement. Above eight late components the attribution is sampled.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class QueryJoinBenchmark {
    private static final int TOP_K = 20;
    private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    @Param({"0", "1", "2", "8", "12"})
    public int late;

    private final QueryKey key = new QueryKey("shop", ID);
    private final EventScanner scanner = new EventScanner();
    private QualitySettings settings;
    private byte[] answer;
    private List<byte[]> partials;
    private List<LoggedEvent> events;
    private io.kipimo.schemas.quality.Measurement measurement;

    @Setup
    public void seededQuery() throws InvalidRecordException {
        Random random = new Random(9);
        settings = QualitySettings.of(policy());
        partials = new ArrayList<>();
        List<Invocation> invocations = new ArrayList<>();
        for (int c = 0; c < Math.max(4, 2 * late); c++) {
            boolean isLate = c < late;
            invocations.add(new Invocation("shard-" + c, isLate ? Outcome.TIMED_OUT : Outcome.IN_TIME, 20_000));
            partials.add(Codecs.PARTIAL_RESULT.encode(partial("shard-" + c, isLate, random)));
        }
        answer = Codecs.ANSWER.encode(AnswerBuilder.builder()
                .service("shop")
                .queryId(ID)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(Events.START)
                .answeredAtMillis(Events.START + 30)
                .deadlineMillis(30)
                .topK(TOP_K)
                .invocations(invocations)
                .items(Items.NONE)
                .build());
        events = scanQuery();
        measurement = joinQuery().orElseThrow();
    }

    private static Policy policy() {
        Policy p = Events.policy();
        return p.toBuilder().metrics(List.of("tpr@" + TOP_K)).topK(TOP_K).build();
    }

    private static PartialResult partial(String component, boolean late, Random random) {
        float[] scores = new float[TOP_K];
        for (int i = 0; i < TOP_K; i++) {
            scores[i] = -random.nextFloat();
        }
        Arrays.sort(scores);
        for (int i = 0; i < TOP_K; i++) {
            scores[i] = -scores[i];
        }
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId(ID)
                .component(component)
                .server("s1")
                .phase(late ? Phase.MATURE : Phase.ONLINE)
                .completedAtMillis(Events.START + (late ? 200 : 20))
                .latencyMicros(late ? 200_000 : 20_000)
                .items(Items.ofNumbers(random.longs(TOP_K, 0, 1_000_000_000L).toArray(), scores))
                .build();
    }

    @Benchmark
    public LoggedEvent scanEvent() throws InvalidRecordException {
        return scanner.partial(partials.get(0), 0, 0);
    }

    /** The peer. */
    @Benchmark
    public PartialResult decodeEvent() throws InvalidRecordException {
        return Codecs.PARTIAL_RESULT.decode(partials.get(0));
    }

    @Benchmark
    public List<LoggedEvent> scanQuery() throws InvalidRecordException {
        List<LoggedEvent> scanned = new ArrayList<>(partials.size() + 1);
        for (byte[] partial : partials) {
            scanned.add(scanner.partial(partial, 0, 0));
        }
        scanned.add(scanner.answer(answer, 0, 0));
        return scanned;
    }

    @Benchmark
    public Optional<io.kipimo.schemas.quality.Measurement> joinQuery() {
        OpenQuery query = new OpenQuery();
        for (LoggedEvent event : events) {
            Events.accept(query, event, settings);
        }
        return QueryJoin.measureIfComplete(key, query, settings);
    }

    @Benchmark
    public byte[] writeMeasurement() {
        return Codecs.MEASUREMENT.encode(measurement);
    }

    /** The peer. */
    @Benchmark
    public byte[] writeMeasurementByMessage() {
        return Codecs.MEASUREMENT.toMessage(measurement).toByteArray();
    }

    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(QueryJoinBenchmark.class.getSimpleName())
                        .build())
                .run();
    }
}
