package io.kipimo.examples.search.frontend;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps all calls. Samples all queries or none, and profiles on request. */
final class RecordingTelemetry implements Telemetry {
    final List<Answer> answers = new CopyOnWriteArrayList<>();
    final List<PartialResult> partials = new CopyOnWriteArrayList<>();
    final List<String> offered = new CopyOnWriteArrayList<>();
    final List<String> rejected = new CopyOnWriteArrayList<>();
    final List<List<Invocation>> answered = new CopyOnWriteArrayList<>();
    final List<Long> lateWorkMicros = new CopyOnWriteArrayList<>();

    volatile boolean profiles;

    /** Components that every query asks; empty: all. */
    volatile List<String> asked = List.of();

    volatile OptionalDouble prediction = OptionalDouble.empty();

    private final boolean samplesAll;
    private final boolean admitsAll;

    RecordingTelemetry(boolean samplesAll, boolean admitsAll) {
        this.samplesAll = samplesAll;
        this.admitsAll = admitsAll;
    }

    List<PartialResult> partials(Phase phase) {
        return partials.stream().filter(partial -> partial.phase() == phase).toList();
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return samplesAll;
    }

    @Override
    public boolean admits(OfferedQuery query) {
        return admitsAll;
    }

    @Override
    public OptionalDouble predictedCompleteness(String queryClass, List<Invocation> invocations) {
        return prediction;
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return profiles || answer.isDegraded();
    }

    @Override
    public void answer(Answer answer) {
        answers.add(answer);
    }

    @Override
    public void partial(PartialResult partial) {
        partials.add(partial);
    }

    @Override
    public void offered(OfferedQuery query) {
        offered.add(query.queryClass());
    }

    @Override
    public void rejected(OfferedQuery query) {
        rejected.add(query.queryClass());
    }

    @Override
    public FanOutChoice choose(OfferedQuery query, Features features, List<String> components) {
        return asked.isEmpty()
                ? Telemetry.super.choose(query, features, components)
                : new FanOutChoice(asked, 0.9, FanOutChoice.Reason.CHOSEN);
    }

    @Override
    public void answered(OfferedQuery query, List<Invocation> invocations, Optional<Double> notAskedLoss) {
        answered.add(invocations);
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        lateWorkMicros.add(workMicros);
    }
}
