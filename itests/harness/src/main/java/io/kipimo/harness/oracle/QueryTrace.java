package io.kipimo.harness.oracle;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The events of one query, as they really came.
 *
 * @param answer empty: lost, or not in time
 * @param replays replayed answers that arrived within the window
 * @param partials results that were complete within the window
 * @param late events after the window that carry the query's start
 * @param lateWithoutStart partial results and replays after the window that do not carry the query's start
 * @param stragglers events within the window whose transit takes so long that they are read after everything has been
 *     measured
 * @param unseen results that components returned and the job did not measure: lost, late or a straggler
 */
@WithBuilder
record QueryTrace(
        Policy policy,
        QueryIdentity query,
        Optional<Answer> answer,
        @Initializer(source = List.class, value = "of") List<Answer> replays,
        @Initializer(source = List.class, value = "of") List<PartialResult> partials,
        @Initializer(source = List.class, value = "of") List<Event> late,
        @Initializer(source = List.class, value = "of") List<Event> lateWithoutStart,
        @Initializer(source = List.class, value = "of") List<Event> stragglers,
        @Initializer(source = List.class, value = "of") List<PartialResult> unseen) {

    /** The expected row; empty if no event in time proves that the query exists. */
    Optional<ExpectedRow> row() {
        return hasBegun()
                ? Optional.of(new QualityOracle(policy).row(query, answer, replays, partials, unseen))
                : Optional.empty();
    }

    /**
     * Returns whether some event proves that the query is open. A replay proves nothing, and neither does a late result
     * without a start: the query may have ended long ago.
     */
    private boolean hasBegun() {
        return answer.isPresent()
                || partials.stream().anyMatch(p -> p.startedAtMillis() > 0 || p.phase() == Phase.ONLINE);
    }

    List<Event> joined() {
        return hasBegun() ? inTime() : List.of();
    }

    /** Events in time that the job holds until some event proves that the query is open, if there is no such event. */
    List<Event> heldInVain() {
        return hasBegun() ? List.of() : inTime();
    }

    /** Number of joined results of components that the answer does not name. */
    long unnamed() {
        if (answer.isEmpty()) {
            return 0;
        }
        Set<String> named = new HashSet<>();
        answer.get().invocations().stream().map(Invocation::component).forEach(named::add);
        return partials.stream().filter(p -> !named.contains(p.component())).count();
    }

    private List<Event> inTime() {
        List<Event> events = new ArrayList<>();
        answer.map(Event::of).ifPresent(events::add);
        replays.forEach(replay -> events.add(Event.of(replay)));
        partials.forEach(partial -> events.add(Event.of(partial)));
        return events;
    }
}
