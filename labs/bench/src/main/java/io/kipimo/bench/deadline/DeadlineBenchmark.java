package io.kipimo.bench.deadline;

import io.kipimo.bench.machine.BrokerProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.Calibration;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.load.TraceSettings;
import io.kipimo.examples.search.load.VocabularyClient;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Compares the deadline advisor's curve, from one run at one deadline, with the measured quality of real services at
 * other deadlines. One real service has the advisor's own deadline: its error shows the noise of the machine. All
 * services take turns in rounds of some seconds, so that background load affects them equally. In a round they get the
 * same queries.
 *
 * <p>The advisor uses the observed latencies. A real service sheds work that no answer waits for. So with a shorter
 * deadline its components have less work, and the real quality exceeds the advisor's estimate. The difference grows
 * with the load.
 *
 * <p>The advisor takes latencies as they were. A real service sheds work that no answer waits for, so with a shorter
 * deadline its components have less to do and the truth is better than what was said: more so the higher the load.
 */
public final class DeadlineBenchmark implements Benchmark {
    /** All deadlines are on the curve's grid. This one is in force when the advisor computes the curve. */
    private static final int IN_FORCE_MILLIS = 32;

    private static final List<Integer> DEADLINES_MILLIS = List.of(64, 16, IN_FORCE_MILLIS, 8, 128);
    private static final double SAMPLING_RATE = 0.25;
    private static final long SEED = 3;
    private static final double ACCEPTABLE_LAG_MILLIS = 5;

    /** Queries a second if the run only shows that the benchmark works. */
    private static final double UNMEASURED_CAPACITY = 300;

    private static final Duration TURN = Duration.ofSeconds(5);

    /** Pause after which the late work of one turn does not load the next one. */
    private static final Duration BETWEEN_TURNS = Duration.ofMillis(500);

    /** Time until all results of the last queries are in the topics. */
    private static final Duration SETTLING = DeadlineTrial.EXPIRATION_WINDOW.plusSeconds(2);

    @Override
    public Result run(Context context) throws Exception {
        List<Double> utilisations = context.choose(List.of(0.3), List.of(0.3), List.of(0.3, 0.6));
        int rounds = context.choose(1, 3, 6);
        Optional<Calibration> calibration = context.choose(
                Optional.empty(), Optional.of(new Calibration(32, 10, 4, 0.15, 20)), Optional.of(Calibration.THOROUGH));
        context.say("building the index of the search service");
        PartitionedIndex index = PartitionedIndex.skewed(Corpus.load());
        List<Table> tables = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        try (BrokerProcess broker = BrokerProcess.start();
                LoadGenerator generator = new LoadGenerator()) {
            double capacity = 0;
            for (double utilisation : utilisations) {
                KafkaSettings kafka = broker.settings(Phrase.of("load-%.1f.", utilisation));
                TopicAdmin.createMissing(kafka, 0, (short) 1);
                Map<String, DeadlineTrial> trials = trials(index, kafka);
                try {
                    DeadlineTrial said = trials.get("said");
                    QueryWriter writer =
                            new QueryWriter(VocabularyClient.fetch(said.ports().vocabulary()));
                    if (capacity == 0) {
                        capacity = capacity(context, calibration, generator, said, writer);
                    }
                    double rate = utilisation * capacity;
                    Random order = new Random(SEED);
                    for (int round = 0; round <= rounds; round++) {
                        context.say(round == 0 ? "warm-up" : "round %d of %d at %.0f queries/s", round, rounds, rate);
                        run(generator, trials, rate, writer, round, order);
                    }
                    TimeUnit.MILLISECONDS.sleep(SETTLING.toMillis());
                    read(kafka, trials);
                    tables.add(table(said, trials, utilisation, rate));
                    notes(trials, utilisation, notes);
                } finally {
                    trials.values().forEach(DeadlineTrial::close);
                }
            }
        }
        notes.add("said: by the advisor, from a service at "
                + IN_FORCE_MILLIS
                + " ms; measured: by one service for each deadline, with the same"
                + " queries, in turns; the error of the row of "
                + IN_FORCE_MILLIS
                + " ms is noise of the machine; "
                + SAMPLING_RATE
                + " of the queries sampled, intervals are 95 %");
        notes.add("a shorter real deadline sheds work that no answer waits for, so components answer"
                + " faster than the advisor, who only knows the latencies at its own"
                + " deadline, could see: the truth should be better than what it said, and"
                + " more so under load; a longer one does the reverse");
        notes.add("the advisor counts latencies from the invocation, the service its deadline from"
                + " when the query was meant to start");
        return new Result(tables, notes);
    }

    private static double capacity(
            Context context,
            Optional<Calibration> calibration,
            LoadGenerator generator,
            DeadlineTrial trial,
            QueryWriter writer)
            throws InterruptedException {
        if (calibration.isEmpty()) {
            return UNMEASURED_CAPACITY;
        }
        context.say("finding the capacity of the service");
        return calibration
                .get()
                .find(generator, trial.ports().calibration(), writer, QueryMix.HEAVIER, SEED)
                .perSecond();
    }

    private static Map<String, DeadlineTrial> trials(PartitionedIndex index, KafkaSettings kafka) {
        Map<String, DeadlineTrial> trials = new LinkedHashMap<>();
        trials.put("said", new DeadlineTrial("said", IN_FORCE_MILLIS, SAMPLING_RATE, index, kafka));
        for (int deadline : DEADLINES_MILLIS) {
            String name = "real-" + deadline;
            trials.put(name, new DeadlineTrial(name, deadline, SAMPLING_RATE, index, kafka));
        }
        return trials;
    }

    /** Round 0 uses the ports that are not measured. */
    private static void run(
            LoadGenerator generator,
            Map<String, DeadlineTrial> trials,
            double rate,
            QueryWriter writer,
            int round,
            Random order)
            throws InterruptedException {
        ArrivalTrace trace = ArrivalTrace.of(TraceSettings.flat(TURN, rate, QueryMix.HEAVIER, SEED + round), writer);
        List<DeadlineTrial> turns = new ArrayList<>(trials.values());
        // A random order, so that no service always follows the same one.
        Collections.shuffle(turns, order);
        for (DeadlineTrial trial : turns) {
            SearchService.Ports ports = trial.ports();
            int port = round == 0 ? ports.calibration() : ports.high();
            LoadResult load = generator.run(new LoadTarget(port, ports.low()), trace, order.nextLong());
            if (round > 0) {
                trial.ran(load);
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TURNS.toMillis());
        }
    }

    private static void read(KafkaSettings kafka, Map<String, DeadlineTrial> trials) {
        TopicReader.read(kafka, Topic.ANSWERS, 0, Codecs.ANSWER, answer -> trials.get(answer.service())
                .add(answer));
        TopicReader.read(kafka, Topic.PARTIALS, 0, Codecs.PARTIAL_RESULT, partial -> trials.get(partial.service())
                .add(partial));
        TopicReader.read(
                kafka, Topic.OBSERVATIONS, 0, Codecs.OBSERVATION, observation -> trials.get(observation.service())
                        .add(observation));
        trials.values().forEach(DeadlineTrial::finish);
    }

    private static Table table(DeadlineTrial said, Map<String, DeadlineTrial> trials, double utilisation, double rate) {
        Table table =
                new Table(Phrase.of("Quality at %.0f %% of the capacity, %.0f queries/s", 100 * utilisation, rate));
        DeadlineCurve curve = said.curve();
        trials.values().stream()
                .filter(trial -> trial != said)
                .sorted(Comparator.comparingInt(DeadlineTrial::deadlineMillis))
                .forEach(trial -> row(table, at(curve, trial.deadlineMillis()), trial));
        return table;
    }

    private static void row(Table table, Estimate said, DeadlineTrial trial) {
        Estimate measured = trial.measured();
        boolean overlap = said.low() <= measured.high() && measured.low() <= said.high();
        table.row()
                .cell("deadline (ms)", trial.deadlineMillis())
                .cell("said", said.mean())
                .cell("said low", said.low())
                .cell("said high", said.high())
                .cell("measured", measured.mean())
                .cell("measured low", measured.low())
                .cell("measured high", measured.high())
                .cell("measured - said", measured.mean() - said.mean())
                .cell("intervals", overlap ? "overlap" : "apart")
                .cell("lacked a component", trial.degradedShare())
                .cell("samples", trial.samples());
    }

    private static Estimate at(DeadlineCurve curve, double deadlineMillis) {
        return curve.points().stream()
                .min(Comparator.comparingDouble(p -> Math.abs(p.deadlineMillis() - deadlineMillis)))
                .map(DeadlinePoint::quality)
                .orElseThrow(() -> new IllegalStateException("the advisor had no profile"));
    }

    private static void notes(Map<String, DeadlineTrial> trials, double utilisation, List<String> notes) {
        for (DeadlineTrial trial : trials.values()) {
            if (trial.generatorLagMillis() > ACCEPTABLE_LAG_MILLIS) {
                notes.add(Phrase.of(
                        "%s at %.1f: the load generator was late, p99 %.1f ms",
                        trial.name(), utilisation, trial.generatorLagMillis()));
            }
            if (trial.dropped() > 0) {
                notes.add(trial.name() + ": " + trial.dropped() + " events were dropped");
            }
        }
    }
}
