package io.kipimo.cli.advice;

import io.kipimo.core.quality.deadline.DeadlineCurves;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.ProfileSettings;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.ProfiledResult;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One class's queries that were recorded, joined, measured and profiled as the quality job does it.
 * All answers come first, then partial results in any order; a query's items are let go as soon as
 * nothing more can come.
 */
final class Recording {
    /**
     * Where nobody counted all queries, the recorded ones stand for so many each: any number that
     * makes them a small sample.
     */
    private static final long UNCOUNTED = 1_000_000;

    private static final class Query {
        final Answer answer;
        final List<PartialResult> partials = new ArrayList<>();
        int awaited;

        Query(Answer answer) {
            this.answer = answer;
            for (Invocation invocation : answer.invocations()) {
                awaited += invocation.outcome() == Outcome.FAILED ? 0 : 1;
            }
        }
    }

    private final Policy policy;
    private final QualitySettings measuring;
    private final ProfileSettings profiling;
    private final Map<String, Query> open = new LinkedHashMap<>();
    private final DeadlinePane pane = new DeadlinePane();
    private final ContributionHistory contributions = new ContributionHistory();
    private final List<Answer> answers;

    Recording(Policy policy, List<Answer> answers) {
        this.policy = policy;
        this.measuring = QualitySettings.of(policy);
        this.profiling = ProfileSettings.of(policy);
        this.answers = answers;
        answers.forEach(answer -> open.putIfAbsent(answer.queryId(), new Query(answer)));
    }

    /** Takes a result of any service. */
    void add(PartialResult partial) {
        Query query = open.get(partial.queryId());
        if (query == null || !query.answer.service().equals(partial.service())) {
            return;
        }
        query.partials.add(partial);
        if (isFinal(query.answer, partial) && --query.awaited == 0) {
            open.remove(partial.queryId());
            profile(query);
        }
    }

    void add(Observation observation) {
        Answer any = answers.get(0);
        if (observation.service().equals(any.service())
                && observation.queryClass().equals(any.queryClass())) {
            pane.add(observation);
        }
    }

    /** The curve of all of them. */
    DeadlineCurve curve() {
        open.values().stream().filter(q -> q.answer.isDegraded()).forEach(this::profile);
        open.clear();
        if (pane.answered == 0) {
            pane.answered = UNCOUNTED * answers.size();
            pane.timedOut = UNCOUNTED * answers.stream().filter(Answer::isDegraded).count();
        }
        Answer any = answers.get(0);
        return DeadlineCurves.curve(
                any.service(),
                any.queryClass(),
                profiling.similarity().name(),
                answers.stream().mapToLong(Answer::startedAtMillis).min().orElseThrow(),
                answers.stream().mapToLong(Answer::answeredAtMillis).max().orElseThrow(),
                policy.expirationWindowMillis(),
                List.of(pane));
    }

    private void profile(Query query) {
        Answer answer = query.answer;
        OpenQuery joined = new OpenQuery();
        for (PartialResult partial : query.partials) {
            join(joined, QueryEvent.of(partial));
        }
        join(joined, QueryEvent.of(answer));
        Measurement measurement =
                QueryJoin.measureIfComplete(joined, measuring)
                        .or(() -> QueryJoin.measureExpired(joined, measuring))
                        .orElseThrow();
        List<ProfiledResult> results = new ArrayList<>(answer.invocations().size());
        for (Invocation invocation : answer.invocations()) {
            results.add(result(invocation, query.partials, measurement));
        }
        pane.add(
                Profiling.profile(
                        new ProfileSubject(
                                answer.service(),
                                answer.queryClass(),
                                answer.startedAtMillis(),
                                measurement.measuredAtMillis(),
                                answer.deadlineMillis(),
                                answer.topK(),
                                results),
                        profiling),
                contributions);
    }

    private void join(OpenQuery query, QueryEvent event) {
        if (!QueryJoin.isLateByItself(event, measuring, Long.MIN_VALUE)) {
            QueryJoin.accept(query, event, measuring);
        }
    }

    private static ProfiledResult result(
            Invocation invocation, List<PartialResult> partials, Measurement measurement) {
        ComponentShare share =
                measurement.components().stream()
                        .filter(c -> c.component().equals(invocation.component()))
                        .findFirst()
                        .orElseThrow();
        Optional<PartialResult> last =
                partials.stream()
                        .filter(p -> p.component().equals(invocation.component()))
                        .filter(p -> isFinal(invocation, p) && !share.missing())
                        .findFirst();
        return new ProfiledResult(
                invocation.component(),
                invocation.outcome(),
                last.map(PartialResult::latencyMicros).orElse(0L),
                last.map(PartialResult::items).orElse(null),
                share.lostQuality(),
                share.contribution());
    }

    private static boolean isFinal(Answer answer, PartialResult partial) {
        return answer.invocations().stream()
                .anyMatch(i -> i.component().equals(partial.component()) && isFinal(i, partial));
    }

    /** Whether this is the result that a component is awaited with, after what became of it. */
    private static boolean isFinal(Invocation invocation, PartialResult partial) {
        return switch (invocation.outcome()) {
            case IN_TIME -> partial.phase() == Phase.ONLINE;
            case TIMED_OUT -> partial.phase() == Phase.MATURE;
            case FAILED -> false;
        };
    }
}
