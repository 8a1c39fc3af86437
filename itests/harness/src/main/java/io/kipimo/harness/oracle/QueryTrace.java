package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What really happened to one query.
 *
 * @param answer empty: lost, or not in time
 * @param partials that were complete within the window
 * @param lateAnswer after the window
 * @param latePartials complete after the window
 * @param stragglers complete within the window but on their way so long that they are read when
 *     everything has been measured
 */
record QueryTrace(
        Policy policy,
        QueryKey query,
        Optional<Answer> answer,
        List<PartialResult> partials,
        Optional<Answer> lateAnswer,
        List<PartialResult> latePartials,
        List<PartialResult> stragglers) {

    /** The row that must come out; empty if nothing came in time. */
    Optional<ExpectedRow> row() {
        if (answer.isEmpty() && partials.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new QualityOracle(policy).row(query, answer, partials));
    }

    List<Event> joined() {
        return events(answer, partials);
    }

    List<Event> late() {
        return events(lateAnswer, latePartials);
    }

    private static List<Event> events(Optional<Answer> answer, List<PartialResult> partials) {
        List<Event> events = new ArrayList<>();
        answer.map(Event::of).ifPresent(events::add);
        partials.forEach(p -> events.add(Event.of(p)));
        return events;
    }
}
