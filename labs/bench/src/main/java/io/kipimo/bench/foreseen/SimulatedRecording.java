package io.kipimo.bench.foreseen;

import io.kipimo.bench.report.Context;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.simulator.control.ControlPlane;
import io.kipimo.simulator.control.Watcher;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.service.ItemMap;
import io.kipimo.simulator.service.Placement;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.SimulatedService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Records all queries of scenario {@code ubora} under control by quality. The front end knows which component has which
 * items only from the mature answer.
 */
final class SimulatedRecording {
    private static final int SEEDS = 3;

    private SimulatedRecording() {}

    /** One recording for each seed. Each recording gets a model of its own. */
    static List<Recording> recordings(Context context) {
        Scenario scenario = BuiltIn.scenario("ubora").withSeconds(context.choose(600, 10_800, 10_800));
        return IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> record(scenario.withSeed(seed)))
                .toList();
    }

    private static Recording record(Scenario scenario) {
        Engine engine = new Engine();
        Answers answers = new Answers(scenario);
        ControlPlane control = new ControlPlane(
                engine,
                scenario.service(),
                scenario.control().orElseThrow(),
                Optional.empty(),
                answers,
                scenario.seed());
        SimulatedService service = new SimulatedService(engine, scenario.service(), control, scenario.seed());
        answers.items = service.items();
        control.start(service);
        service.start();
        engine.run(Times.nanos(scenario.seconds()));
        return new Recording(answers.queries, Math.round(scenario.service().deadlineSeconds() * 1e6));
    }

    /** Keeps the answers that the scenario's front end gave. */
    private static final class Answers implements Watcher {
        private final Scenario scenario;
        private final List<RecordedQuery> queries = new ArrayList<>();
        private ItemMap items;

        Answers(Scenario scenario) {
            this.scenario = scenario;
        }

        @Override
        public void answered(Query query, boolean degraded, double quality) {
            Placement placement = items.placementOf(query);
            long startMicros = query.startedNanos() / 1_000;
            queries.add(new RecordedQuery(
                    startMicros,
                    // Late results of most queries are not simulated; they may take as long as is waited for them.
                    degraded
                            ? startMicros + Math.round(scenario.service().lateSeconds() * 1e6)
                            : query.answeredNanos() / 1_000,
                    scenario.service().kinds().get(query.kind()).predictedCost(),
                    new long[0],
                    IntStream.range(0, query.partitions())
                            .mapToLong(p -> query.outcome(p) == Outcome.IN_TIME
                                    ? query.latencyNanos(p) / 1_000
                                    : RecordedQuery.NEVER)
                            .toArray(),
                    IntStream.range(0, query.partitions())
                            .mapToLong(p -> LongStream.of(placement.itemsIn(p).numbers())
                                    .reduce(0, (bits, item) -> bits | 1L << item))
                            .toArray(),
                    new double[Moment.values().length]));
        }

        @Override
        public void counted(Observation observation) {}

        @Override
        public void measured(Measurement measurement) {}

        @Override
        public void estimated(QualityWindow window) {}

        @Override
        public void decided(Decision decision) {}
    }
}
