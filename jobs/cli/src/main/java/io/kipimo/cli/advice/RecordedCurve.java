package io.kipimo.cli.advice;

import io.kipimo.core.quality.deadline.DeadlineCurves;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.deadline.QueryReplay;
import io.kipimo.core.quality.join.ContributionHistory;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import java.util.List;

/** Computes the deadline curve of one class from recorded queries. */
final class RecordedCurve {
    /**
     * Number of queries that each recorded query represents if no counts of all queries were recorded. Any number would
     * do that makes the recorded queries a small sample.
     */
    private static final long UNCOUNTED = 1_000_000;

    private final Policy policy;
    private final List<Answer> answers;
    private final DeadlinePane pane = new DeadlinePane();
    private final QueryReplay replay;

    /** @param answers answers of one class, at least one */
    RecordedCurve(Policy policy, List<Answer> answers) {
        this.policy = policy;
        this.answers = answers;
        ContributionHistory contributions = new ContributionHistory();
        this.replay = new QueryReplay(policy, measurement -> {}, profile -> pane.add(profile, contributions));
        answers.forEach(replay::add);
    }

    void add(PartialResult partial) {
        replay.add(partial);
    }

    void add(Observation observation) {
        Answer any = answers.get(0);
        if (observation.service().equals(any.service())
                && observation.queryClass().equals(any.queryClass())) {
            pane.add(observation);
        }
    }

    /** Ends the input and returns the curve of all queries that were added. */
    DeadlineCurve curve() {
        replay.finish();
        if (pane.answered == 0) {
            List<Answer> measurable =
                    answers.stream().filter(a -> a.whyUnmeasurable().isEmpty()).toList();
            pane.answered = UNCOUNTED * measurable.size();
            pane.timedOut =
                    UNCOUNTED * measurable.stream().filter(Answer::isDegraded).count();
        }
        Answer any = answers.get(0);
        return DeadlineCurves.curve(
                any.service(),
                any.queryClass(),
                policy.metrics().get(0),
                answers.stream().mapToLong(Answer::startedAtMillis).min().orElseThrow(),
                answers.stream().mapToLong(Answer::answeredAtMillis).max().orElseThrow(),
                policy.expirationWindowMillis(),
                List.of(pane));
    }
}
