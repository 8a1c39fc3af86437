package io.kipimo.harness.oracle;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What really happened to one query.
 *
 * @param answer empty: lost, or not in time
 * @param replays replayed answers that were there within the window
 * @param partials that were complete within the window
 * @param late events after the window that know when the query started
 * @param lateWithoutStart partial results and replays after the window that do not
 * @param stragglers that happened within the window but are on their way so long that they are read
 *     when everything has been measured
 * @param unseen what components returned and nobody measured: lost, late or a straggler
 */
record QueryTrace(
        Policy policy,
        QueryIdentity query,
        Optional<Answer> answer,
        List<Answer> replays,
        List<PartialResult> partials,
        List<Event> late,
        List<Event> lateWithoutStart,
        List<Event> stragglers,
        List<PartialResult> unseen) {

    /** The row that must come out; empty if nothing in time shows that there is a query. */
    Optional<ExpectedRow> row() {
        return hasBegun()
                ? Optional.of(
                        new QualityOracle(policy).row(query, answer, replays, partials, unseen))
                : Optional.empty();
    }

    /**
     * Whether some event shows that the query is open. A late result that does not know the start
     * and a replay do not: the query may be long over.
     */
    private boolean hasBegun() {
        return answer.isPresent()
                || partials.stream()
                        .anyMatch(p -> p.startedAtMillis() > 0 || p.phase() == Phase.ONLINE);
    }

    List<Event> joined() {
        return hasBegun() ? inTime() : List.of();
    }

    /** Events in time that wait in vain for one that shows that the query is open. */
    List<Event> heldInVain() {
        return hasBegun() ? List.of() : inTime();
    }

    /** Joined results of components that the answer does not name. */
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
