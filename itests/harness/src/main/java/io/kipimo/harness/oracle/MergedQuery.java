package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Draws one query of a service that merges partial results, with every fault that can occur:
 *
 * <ul>
 *   <li>A component is late, too late, lost, lost on the way to the log, in transit until the end, or failed.
 *   <li>A third of the results carry no start time of the query. A third report a latency much shorter than the time
 *       since the start, like a component that is invoked late or measures only its own work. A third of the results
 *       after the window arrive when the job has forgotten the measured query.
 *   <li>One in fifteen components is invoked twice, and the second result arrives, too.
 *   <li>In one of twelve queries, a component has results that the answer does not name.
 *   <li>In one of eight, components are not asked, in a quarter of them without a stated loss.
 *   <li>In one of thirty, the answer is marked as unmeasurable.
 *   <li>In one of a hundred each, the answer is late or lost.
 * </ul>
 */
final class MergedQuery extends DrawnQuery {
    private static final int RESULT_ITEMS = 20;

    /** Number of items of an oversized result. It is more than a record may have. */
    private static final int OVERSIZED_ITEMS = 12_000;

    private static final int WINDOW_MILLIS = (int) OracleService.WINDOW_MILLIS;

    private final List<Invocation> invocations = new ArrayList<>();
    private final List<PartialResult> partials = new ArrayList<>();
    private final List<PartialResult> unseen = new ArrayList<>();
    private long slowestMillis;

    private MergedQuery(OracleService service, String queryId, long startMillis, RandomGenerator random) {
        super(service, queryId, startMillis, random);
    }

    static QueryTrace draw(OracleService service, String queryId, long startMillis, RandomGenerator random) {
        return new MergedQuery(service, queryId, startMillis, random).draw();
    }

    private QueryTrace draw() {
        int components = random.nextInt(4, 7);
        // One query in eight does not ask some of them.
        int asked = random.nextInt(8) == 0 ? random.nextInt(components) : components;
        for (int i = 0; i < asked; i++) {
            ask("part-" + i);
        }
        for (int i = asked; i < components; i++) {
            leaveOut("part-" + i);
        }
        if (random.nextInt(12) == 0) {
            askUnnamed();
        }
        int chance = random.nextInt(100);
        return trace(chance, answer(chance == 0))
                .partials(partials)
                .unseen(unseen)
                .build();
    }

    /** Does not ask a component. It may answer all the same, as after a hedge, but its result does not count. */
    private void leaveOut(String component) {
        invocations.add(new Invocation(component, Outcome.NOT_ASKED, 0));
        if (random.nextInt(10) == 0) {
            partials.add(result(component, Phase.MATURE, random.nextInt(101, 3_000), RESULT_ITEMS));
        }
    }

    private void ask(String component) {
        MergedFate fate = MergedFate.draw(random);
        long latencyMillis = fate.latencyMillis(random);
        if (fate == MergedFate.EXPIRED && random.nextInt(3) == 0) {
            latencyMillis += random.nextInt(10_000, 32_000);
        }
        if (fate.outcome == Outcome.IN_TIME) {
            slowestMillis = Math.max(slowestMillis, latencyMillis);
        }
        invocations.add(new Invocation(
                component, fate.outcome, 1000L * Math.min(latencyMillis, OracleService.DEADLINE_MILLIS)));
        PartialResult result = result(
                component,
                fate.outcome == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE,
                latencyMillis,
                fate == MergedFate.OVERSIZED ? OVERSIZED_ITEMS : RESULT_ITEMS);
        switch (fate) {
            case IN_TIME, TIMED_OUT, OVERSIZED -> partials.add(result);
            case EXPIRED -> {
                addLate(result);
                unseen.add(result);
            }
            case STRAGGLER -> {
                stragglers.add(Event.of(result));
                unseen.add(result);
            }
            case LOST_IN_TIME, LOST -> unseen.add(result);
            case FAILED -> {
                // A failed component has no result.
            }
        }
        // Two late results without a start at the same time would be duplicates.
        if (fate != MergedFate.EXPIRED && random.nextInt(15) == 0) {
            askAgain(component, fate.outcome);
        }
    }

    /**
     * Draws the result of a second copy of a request. The front end already has a result or has given up; the copy
     * answers all the same.
     */
    private void askAgain(String component, Outcome outcome) {
        if (outcome == Outcome.TIMED_OUT) {
            addLate(result(
                    component,
                    Phase.MATURE,
                    random.nextInt(WINDOW_MILLIS + 1_000, WINDOW_MILLIS + 8_000),
                    RESULT_ITEMS));
        } else {
            partials.add(result(component, Phase.MATURE, random.nextInt(101, 3_000), RESULT_ITEMS));
        }
    }

    private void askUnnamed() {
        boolean inTime = random.nextBoolean();
        partials.add(result(
                "unnamed",
                inTime ? Phase.ONLINE : Phase.MATURE,
                inTime ? random.nextInt(5, 95) : random.nextInt(101, 3_000),
                RESULT_ITEMS));
        if (random.nextInt(4) == 0) {
            addLate(result(
                    "unnamed-too",
                    Phase.MATURE,
                    random.nextInt(WINDOW_MILLIS + 1_000, WINDOW_MILLIS + 8_000),
                    RESULT_ITEMS));
        }
    }

    private void addLate(PartialResult result) {
        (result.startedAtMillis() > 0 ? late : lateWithoutStart).add(Event.of(result));
    }

    private PartialResult result(String component, Phase phase, long afterMillis, int items) {
        long latencyMillis =
                random.nextInt(3) == 0 ? Math.min(afterMillis, random.nextInt(1, 20)) : afterMillis - random.nextInt(3);
        return PartialResultBuilder.builder()
                .service(service.serviceName())
                .queryId(queryId)
                .component(component)
                .server("server-" + random.nextInt(3))
                .phase(phase)
                .completedAtMillis(startMillis + afterMillis)
                .latencyMicros(1000 * latencyMillis)
                .items(service.items(items, random))
                .truncated(random.nextInt(200) == 0)
                .startedAtMillis(random.nextInt(3) == 0 ? 0 : startMillis)
                .build();
    }

    private Answer answer(boolean isLate) {
        boolean isDegraded = invocations.stream().anyMatch(i -> i.outcome().isLate());
        long answeredAfter = isLate
                ? WINDOW_MILLIS + random.nextInt(1_000, 5_000)
                : isDegraded ? OracleService.DEADLINE_MILLIS : slowestMillis;
        Optional<Unmeasurable> unmeasurable = random.nextInt(30) == 0
                ? Optional.of(Unmeasurable.values()[random.nextInt(Unmeasurable.values().length)])
                : Optional.empty();
        // NO_COMPONENTS is expressed by an answer without invocations.
        boolean namesNobody = unmeasurable.equals(Optional.of(Unmeasurable.NO_COMPONENTS));
        return answerAfter(answeredAfter)
                .invocations(namesNobody ? List.of() : invocations)
                .items(Items.NONE)
                .unmeasurable(namesNobody ? Optional.empty() : unmeasurable)
                .notAskedLoss(anyLoss())
                .build();
    }

    /** Fate of one component of one query; shares are in thousandths. */
    enum MergedFate {
        IN_TIME(715, Outcome.IN_TIME, 5, 95),
        /** The answer contains the result, but its event never arrives. */
        LOST_IN_TIME(15, Outcome.IN_TIME, 5, 95),
        TIMED_OUT(215, Outcome.TIMED_OUT, 101, 3_000),
        OVERSIZED(1, Outcome.TIMED_OUT, 101, 3_000),
        /** The result arrives after the window. */
        EXPIRED(27, Outcome.TIMED_OUT, WINDOW_MILLIS + 1_000, WINDOW_MILLIS + 8_000),
        /** The result never arrives. */
        LOST(17, Outcome.TIMED_OUT, 101, 3_000),
        STRAGGLER(5, Outcome.TIMED_OUT, 101, 3_000),
        FAILED(5, Outcome.FAILED, 1, 50);

        private final int share;
        private final Outcome outcome;
        private final int leastMillis;
        private final int mostMillis;

        MergedFate(int share, Outcome outcome, int leastMillis, int mostMillis) {
            this.share = share;
            this.outcome = outcome;
            this.leastMillis = leastMillis;
            this.mostMillis = mostMillis;
        }

        static MergedFate draw(RandomGenerator random) {
            int left = random.nextInt(1000);
            for (MergedFate fate : values()) {
                left -= fate.share;
                if (left < 0) {
                    return fate;
                }
            }
            throw new IllegalStateException("shares do not sum to 1000");
        }

        Outcome outcome() {
            return outcome;
        }

        private long latencyMillis(RandomGenerator random) {
            return random.nextInt(leastMillis, mostMillis + 1);
        }
    }
}
