package io.kipimo.core.rating;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.ReportStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The log repeats records, the coordinator falls back to an earlier checkpoint, and generators die. The rating must be
 * the same as without these faults.
 */
class LoadCoordinatorPropertyTest {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final LoadCoordinator COORDINATOR = new LoadCoordinator();

    private static StepContext<RatingRequest> at(LoadCoordinatorState state, long nowMillis) {
        return new StepContext<>(state.rating().request(), MoverTurn.FREE, 0, nowMillis);
    }

    private static List<Experiment> commands(Step<LoadCoordinatorState, RatingDecision> step) {
        return step.decisions().stream()
                .filter(d -> d instanceof RatingDecision.Command)
                .map(d -> ((RatingDecision.Command) d).experiment())
                .toList();
    }

    /** Three generators, and the log between them and the coordinator. */
    private static final class World {
        private final Random random;
        private final double capacity;
        private final List<ExperimentReport> log = new ArrayList<>();
        private final Map<String, ExperimentReport> finished = new HashMap<>();
        private final Set<String> dead = new HashSet<>();
        private LoadCoordinatorState state;
        private int read;
        private LoadCoordinatorState checkpoint;
        private int checkpointRead;
        private long now = 2_000;

        World(RatingRequest request, double capacity, long seed) {
            this.random = new Random(seed);
            this.capacity = capacity;
            this.state = LoadCoordinatorState.of(Rating.requested(request), now);
            this.checkpoint = state;
        }

        Rating run(boolean disturbed) {
            for (int i = 0; i < 100_000; i++) {
                now += 100;
                take(COORDINATOR.heartbeat(state, at(state, now)));
                while (read < log.size()) {
                    ExperimentReport report = log.get(read++);
                    take(COORDINATOR.step(state, report, at(state, now)));
                    if (state.rating().state().isOver()) {
                        return state.rating();
                    }
                }
                if (disturbed) {
                    disturb();
                }
            }
            throw new AssertionError("does not end: " + state);
        }

        private void disturb() {
            switch (random.nextInt(12)) {
                case 0 -> {
                    checkpoint = state;
                    checkpointRead = read;
                }
                case 1 -> {
                    // A restart, after some time.
                    read = checkpointRead;
                    now += random.nextInt(60_000);
                    state = new LoadCoordinatorState(
                            checkpoint.rating(), checkpoint.current(), checkpoint.reports(), now);
                }
                case 2 -> dead.add(NAMES.get(random.nextInt(NAMES.size())));
                case 3, 4, 5 -> dead.clear();
                default -> {}
            }
        }

        private void take(Step<LoadCoordinatorState, RatingDecision> step) {
            state = step.next();
            for (Experiment command : commands(step)) {
                NAMES.stream().filter(n -> !dead.contains(n)).forEach(n -> onCommand(n, command));
            }
        }

        private void onCommand(String name, Experiment command) {
            String id = name + command.number() + '/' + command.seed();
            switch (command.step()) {
                case ROLL_CALL -> send(Requests.report(command, name, ReportStage.HERE));
                case PREPARE -> {
                    if (command.generators().contains(name)) {
                        send(finished.getOrDefault(id, Requests.report(command, name, ReportStage.READY)));
                    }
                }
                case RUN -> {
                    if (command.generators().contains(name)) {
                        send(finished.computeIfAbsent(id, i -> Requests.done(command, name, capacity)));
                    }
                }
                case STOP, CANCEL -> {}
            }
        }

        private void send(ExperimentReport report) {
            log.add(report);
            if (random.nextInt(4) == 0) {
                log.add(report);
            }
        }
    }

    @Property(tries = 150, seed = "4711")
    void whateverHappensTheRatingIsTheSame(
            @ForAll @IntRange(min = 2, max = 5_000) int capacity,
            @ForAll @IntRange(min = 1, max = 3) int generators,
            @ForAll long seed) {
        RatingRequest request = Requests.open(generators, 30_000, RatingTechnique.ADAPTIVE);
        Rating undisturbed = new World(request, capacity, seed).run(false);
        Rating disturbed = new World(request, capacity, seed).run(true);

        assertThat(undisturbed.state()).isEqualTo(RatingState.FOUND);
        if (disturbed.state() != RatingState.CANCELLED) {
            assertThat(disturbed.load()).isEqualTo(undisturbed.load());
            assertThat(disturbed.throughput()).isEqualTo(undisturbed.throughput());
        }
        assertThat(disturbed.trials().stream().filter(t -> !t.isVoid()).map(t -> t.load()))
                .startsWith(1L);
    }

    @Property(tries = 20, seed = "4711")
    void sharesOfTheLoadAreThoseThatAnsweredInOrder(@ForAll @IntRange(min = 1, max = 3) int generators) {
        RatingRequest request = Requests.open(generators, 1, RatingTechnique.ADAPTIVE);
        LoadCoordinatorState state = LoadCoordinatorState.of(Rating.requested(request), 2_000);
        Step<LoadCoordinatorState, RatingDecision> step = COORDINATOR.heartbeat(state, at(state, 2_000));
        Experiment call = commands(step).get(0);
        for (String name : List.of("c", "b", "a")) {
            step = COORDINATOR.step(step.next(), Requests.report(call, name, ReportStage.HERE), at(step.next(), 2_100));
            if (!commands(step).isEmpty()) {
                break;
            }
        }

        assertThat(commands(step).get(0).step()).isEqualTo(ExperimentStep.PREPARE);
        assertThat(commands(step).get(0).generators()).hasSize(generators).isSorted();
    }
}
