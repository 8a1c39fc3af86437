package io.kipimo.gateway.profile;

import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.sdk.internal.control.Control;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Samples at a fixed rate, and counts the emitted answers. */
final class ProfilingControl implements Control {
    private final double samplingRate;
    private final Consumer<Answer> answers;
    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicInteger replayed = new AtomicInteger();

    ProfilingControl(double samplingRate, Consumer<Answer> answers) {
        this.samplingRate = samplingRate;
        this.answers = answers;
    }

    boolean isSampling() {
        return samplingRate > 0;
    }

    boolean samples(String traceId) {
        return isSampling() && ConsistentSampling.isSampled(traceId, samplingRate);
    }

    int whole() {
        return whole.get();
    }

    int replayed() {
        return replayed.get();
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return samples(queryId);
    }

    @Override
    public void emit(Answer answer) {
        answers.accept(answer);
        if (answer.kind() == AnswerKind.REPLAYED) {
            replayed.incrementAndGet();
        } else if (!answer.isDegraded() && answer.whyUnmeasurable().isEmpty()) {
            whole.incrementAndGet();
        }
    }

    @Override
    public boolean admits(String queryClass, String queryId, double cost) {
        return true;
    }

    @Override
    public double fraction(String queryClass) {
        return 1;
    }
}
