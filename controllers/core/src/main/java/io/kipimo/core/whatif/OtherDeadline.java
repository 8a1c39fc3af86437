package io.kipimo.core.whatif;

import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Recomputes recorded events for another deadline. The arrival of each result is recorded, so it is known which results
 * would have been in time. The load is assumed to stay the same.
 *
 * <ul>
 *   <li>A component is in time if its result came by the deadline after the query's start; missing results stay
 *       missing, and failed ones stay failed.
 *   <li>A component that was not asked would not have been asked either.
 *   <li>The answer leaves with the last result, or at the deadline.
 *   <li>A clean query whose results were not recorded stays clean if its answer left before the deadline; otherwise it
 *       cannot be measured and is no sample.
 *   <li>An unmeasurable answer stays unmeasurable and counts in no share.
 *   <li>The front ends' counts of answers that lack some component change in proportion to the share of such answers
 *       among the recorded ones of the same class, separately for clean and for degraded answers. Fractions of answers
 *       are carried over to the next second.
 * </ul>
 */
public final class OtherDeadline {
    private static final long MICROS_PER_MILLI = 1000;

    /**
     * Counts the queries of one class by whether they were degraded, and whether they are degraded at the other
     * deadline.
     */
    private static final class Shift {
        long clean;
        long cleanThatDegrade;
        long degraded;
        long degradedThatStay;
        double carried;

        void add(boolean wasDegraded, boolean isDegraded) {
            if (wasDegraded) {
                degraded++;
                degradedThatStay += isDegraded ? 1 : 0;
            } else {
                clean++;
                cleanThatDegrade += isDegraded ? 1 : 0;
            }
        }

        long timedOut(Observation second) {
            double cleanPart = clean == 0 ? 0 : (double) cleanThatDegrade / clean;
            double degradedPart = degraded == 0 ? 1 : (double) degradedThatStay / degraded;
            double expected = carried
                    + Math.max(0, second.measurable() - second.timedOut()) * cleanPart
                    + second.timedOut() * degradedPart;
            long whole = Math.min(second.measurable(), Math.round(expected));
            carried = expected - whole;
            return whole;
        }
    }

    private final int deadlineMillis;
    private final Map<String, Map<String, PartialResult>> finalResults = new HashMap<>();
    private final Map<String, Shift> shifts = new HashMap<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<PartialResult> partials = new ArrayList<>();

    private OtherDeadline(int deadlineMillis) {
        this.deadlineMillis = deadlineMillis;
    }

    /**
     * The events at another deadline.
     *
     * @param events recorded events of a service whose partial results can be merged
     * @param deadlineMillis other deadline, in milliseconds after a query's start; at least 1
     * @throws IllegalArgumentException if the deadline is below 1
     */
    public static RecordedEvents at(RecordedEvents events, int deadlineMillis) {
        if (deadlineMillis < 1) {
            throw new IllegalArgumentException("deadline is " + deadlineMillis + " ms; allowed: at least 1");
        }
        return new OtherDeadline(deadlineMillis).of(events);
    }

    private RecordedEvents of(RecordedEvents events) {
        for (PartialResult partial : events.partials()) {
            // If there are both, the mature result is the final one.
            finalResults
                    .computeIfAbsent(partial.queryId(), q -> new HashMap<>())
                    .merge(partial.component(), partial, (a, b) -> a.phase() == Phase.MATURE ? a : b);
        }
        for (Answer answer : events.answers()) {
            if (answer.kind() == AnswerKind.ONLINE) {
                move(answer);
            }
        }
        List<Observation> observations = new ArrayList<>(events.observations().size());
        for (Observation second : events.observations()) {
            Shift shift = shifts.get(second.queryClass());
            observations.add(shift == null ? second : withTimedOut(second, shift.timedOut(second)));
        }
        return new RecordedEvents(answers, partials, observations);
    }

    private void move(Answer answer) {
        if (answer.whyUnmeasurable().isPresent()) {
            answers.add(answer);
            return;
        }
        Map<String, PartialResult> results = finalResults.getOrDefault(answer.queryId(), Map.of());
        boolean wasDegraded = answer.isDegraded();
        List<Invocation> invocations = new ArrayList<>(answer.invocations().size());
        List<PartialResult> moved = new ArrayList<>();
        boolean isDegraded = false;
        boolean isMeasurable = true;
        long lastMicros = 0;
        for (Invocation invocation : answer.invocations()) {
            if (invocation.outcome() == Outcome.NOT_ASKED) {
                invocations.add(invocation);
                continue;
            }
            PartialResult result = results.get(invocation.component());
            Outcome outcome = outcome(answer, invocation, result);
            isDegraded |= outcome != Outcome.IN_TIME;
            isMeasurable &= result != null || invocation.outcome() != Outcome.IN_TIME;
            lastMicros = Math.max(lastMicros, completedMicros(answer, invocation, result));
            invocations.add(new Invocation(
                    invocation.component(),
                    outcome,
                    outcome == Outcome.TIMED_OUT
                            ? deadlineMillis * MICROS_PER_MILLI
                            : result == null ? invocation.latencyMicros() : result.latencyMicros()));
            if (result != null && outcome != Outcome.FAILED) {
                moved.add(inPhase(result, outcome));
            }
        }
        shifts.computeIfAbsent(answer.queryClass(), c -> new Shift()).add(wasDegraded, isDegraded);
        if (isDegraded && !isMeasurable) {
            return;
        }
        long answeredAt = isDegraded
                ? answer.startedAtMillis() + deadlineMillis
                : wasDegraded ? answer.startedAtMillis() + lastMicros / MICROS_PER_MILLI : answer.answeredAtMillis();
        answers.add(at(answer, answeredAt, invocations));
        partials.addAll(moved);
    }

    private Outcome outcome(Answer answer, Invocation invocation, PartialResult result) {
        if (invocation.outcome() == Outcome.FAILED) {
            return Outcome.FAILED;
        }
        boolean came = result != null || invocation.outcome() == Outcome.IN_TIME;
        return came && completedMicros(answer, invocation, result) <= deadlineMillis * MICROS_PER_MILLI
                ? Outcome.IN_TIME
                : Outcome.TIMED_OUT;
    }

    /**
     * Time from the query's start to a result, as in profiles: results in the answer count as in time by the deadline
     * in force, all others as later. An unrecorded result in the answer came before the answer left.
     */
    private static long completedMicros(Answer answer, Invocation invocation, PartialResult result) {
        long inForce = answer.deadlineMillis() * MICROS_PER_MILLI;
        if (result == null) {
            long left = MICROS_PER_MILLI * (answer.answeredAtMillis() - answer.startedAtMillis());
            return Math.max(invocation.latencyMicros(), left);
        }
        long completed = Math.max(
                result.latencyMicros(), MICROS_PER_MILLI * (result.completedAtMillis() - answer.startedAtMillis()));
        return invocation.outcome() == Outcome.IN_TIME
                ? Math.min(completed, inForce)
                : Math.max(completed, inForce + 1);
    }

    private static PartialResult inPhase(PartialResult result, Outcome outcome) {
        return PartialResultBuilder.builder(result)
                .phase(outcome == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE)
                .build();
    }

    private Answer at(Answer answer, long answeredAtMillis, List<Invocation> invocations) {
        return AnswerBuilder.builder(answer)
                .answeredAtMillis(answeredAtMillis)
                .deadlineMillis(deadlineMillis)
                .invocations(List.copyOf(invocations))
                .build();
    }

    /**
     * The counts of a second with another number of timed-out answers. It lacks the counts by component, since their
     * change is not known.
     */
    private static Observation withTimedOut(Observation second, long timedOut) {
        return ObservationBuilder.builder(second)
                .timedOut(timedOut)
                .components(List.of())
                .missing(List.of())
                .costs(List.of())
                .build();
    }
}
