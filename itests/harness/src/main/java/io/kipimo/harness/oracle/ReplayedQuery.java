package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Draws one query of a service whose mature answers are replays. A replay is in time, lost, late, still in transit at
 * the end, or failed. After a failure there may be a second replay. Some replays belong to complete answers. Some
 * answers name no component, some are marked as unmeasurable, some are late or lost.
 */
final class ReplayedQuery extends DrawnQuery {
    private static final int ITEMS = 20;

    private final List<Answer> replays = new ArrayList<>();

    private ReplayedQuery(OracleService service, String queryId, long startMillis, RandomGenerator random) {
        super(service, queryId, startMillis, random);
    }

    static QueryTrace draw(OracleService service, String queryId, long startMillis, RandomGenerator random) {
        return new ReplayedQuery(service, queryId, startMillis, random).draw();
    }

    private QueryTrace draw() {
        int chance = random.nextInt(100);
        Answer answer = answer(
                chance == 0
                        ? OracleService.WINDOW_MILLIS + random.nextInt(1_000, 5_000)
                        : OracleService.DEADLINE_MILLIS);
        if (answer.isDegraded() || answer.whyUnmeasurable().isPresent() || random.nextInt(4) == 0) {
            replay();
        }
        return trace(chance, answer).replays(replays).build();
    }

    private Answer answer(long afterMillis) {
        List<Invocation> invocations = new ArrayList<>();
        // One answer in twenty names no component; only a replay can measure it.
        int components = random.nextInt(20) == 0 ? 0 : random.nextInt(3, 6);
        for (int i = 0; i < components; i++) {
            invocations.add(new Invocation(
                    "part-" + i,
                    random.nextInt(12) == 0
                            ? Outcome.NOT_ASKED
                            : MergedQuery.MergedFate.draw(random).outcome(),
                    1000L * random.nextInt(5, OracleService.DEADLINE_MILLIS)));
        }
        return answerAfter(afterMillis)
                .invocations(invocations)
                .items(items())
                .truncated(random.nextInt(50) == 0)
                .unmeasurable(random.nextInt(30) == 0 ? Optional.of(Unmeasurable.FAILED_ANSWER) : Optional.empty())
                .notAskedLoss(anyLoss())
                .build();
    }

    private void replay() {
        int fate = random.nextInt(20);
        if (fate < 12) {
            replays.add(mature(random.nextInt(101, 3_000)));
        } else if (fate < 14) {
            replays.add(failed(random.nextInt(101, 1_500)));
            if (fate == 13) {
                replays.add(mature(random.nextInt(1_500, 3_000)));
            }
        } else if (fate < 16) {
            lateWithoutStart.add(Event.of(mature((int) OracleService.WINDOW_MILLIS + random.nextInt(1_000, 40_000))));
        } else if (fate == 16) {
            stragglers.add(Event.of(mature(random.nextInt(101, 3_000))));
        }
        // In the remaining case, the replay is lost.
    }

    private Answer mature(int afterMillis) {
        return replayed(
                afterMillis,
                random.nextBoolean() ? List.of() : List.of(new Invocation("part-0", Outcome.IN_TIME, 1_000)),
                Optional.empty());
    }

    private Answer failed(int afterMillis) {
        return random.nextBoolean()
                ? replayed(afterMillis, List.of(), Optional.of(Unmeasurable.CUT))
                : replayed(
                        afterMillis,
                        List.of(new Invocation(
                                "part-0", random.nextInt(4) == 0 ? Outcome.NOT_ASKED : Outcome.TIMED_OUT, 1_000)),
                        Optional.empty());
    }

    /** A replayed answer. It carries the start of the replay itself; the query may have started long before. */
    private Answer replayed(int afterMillis, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable) {
        return AnswerBuilder.builder()
                .service(service.serviceName())
                .queryId(queryId)
                .queryClass("low")
                .kind(AnswerKind.REPLAYED)
                .startedAtMillis(startMillis + afterMillis - random.nextInt(1, 100))
                .answeredAtMillis(startMillis + afterMillis)
                .deadlineMillis(OracleService.DEADLINE_MILLIS)
                .invocations(invocations)
                .items(items())
                .truncated(random.nextInt(50) == 0)
                .unmeasurable(unmeasurable)
                .build();
    }

    private Items items() {
        return service.items(ITEMS, random);
    }
}
