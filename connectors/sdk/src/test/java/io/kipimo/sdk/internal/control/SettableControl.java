package io.kipimo.sdk.internal.control;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.tails.ReplicaTruth;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A control with decisions and measurements that tests set and read. */
public final class SettableControl implements Control {
    public volatile double fraction = 1;
    public volatile int factor = 1;
    public volatile double samplingRate;
    public volatile boolean profiles;
    public final List<Answer> answers = new CopyOnWriteArrayList<>();
    public final List<PartialResult> partials = new CopyOnWriteArrayList<>();
    public final AtomicInteger offered = new AtomicInteger();
    public final List<Double> costsOffered = new CopyOnWriteArrayList<>();
    public final List<Double> costsAnswered = new CopyOnWriteArrayList<>();
    public final AtomicInteger rejected = new AtomicInteger();
    public final List<List<Invocation>> answered = new CopyOnWriteArrayList<>();
    public final List<Optional<Unmeasurable>> reasons = new CopyOnWriteArrayList<>();
    public final List<String> variants = new CopyOnWriteArrayList<>();
    public final AtomicInteger late = new AtomicInteger();
    public final List<Features> features = new CopyOnWriteArrayList<>();
    public final List<Optional<Double>> notAskedLosses = new CopyOnWriteArrayList<>();

    /** Items of the answers whose list was read. */
    public final List<Integer> listed = new CopyOnWriteArrayList<>();

    /** Which of all components a query asks. */
    public volatile UnaryOperator<List<String>> asked = UnaryOperator.identity();

    /** Why. */
    public volatile Reason reason = Reason.CHOSEN;

    /** What it is expected to keep. */
    public volatile double kept = 1;

    /** The newest report on replicas. */
    public volatile Optional<ReplicaTruth> replicaTruth = Optional.empty();

    @Override
    public void report(ReplicaTruth truth) {
        replicaTruth = Optional.of(truth);
    }

    @Override
    public boolean admits(String queryClass, String queryId, double cost) {
        return !queryClass.equals("low") || HashAdmission.admits(queryId, fraction, 0);
    }

    @Override
    public double fraction(String queryClass) {
        return fraction;
    }

    @Override
    public OptionalLong decisionAgeMillis(String queryClass) {
        return OptionalLong.of(1_500);
    }

    @Override
    public int factor(String tier) {
        return factor;
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return ConsistentSampling.isSampled(queryId, samplingRate);
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return profiles || answer.isDegraded();
    }

    @Override
    public void emit(Answer answer) {
        answers.add(answer);
    }

    @Override
    public void emit(PartialResult partial) {
        partials.add(partial);
    }

    @Override
    public void offered(String queryClass, double cost) {
        offered.incrementAndGet();
        costsOffered.add(cost);
    }

    @Override
    public void answered(
            String queryClass,
            String variant,
            List<Invocation> invocations,
            Optional<Unmeasurable> unmeasurable,
            double cost,
            Optional<Double> notAskedLoss) {
        answered.add(invocations);
        reasons.add(unmeasurable);
        costsAnswered.add(cost);
        variants.add(variant);
        notAskedLosses.add(notAskedLoss);
    }

    @Override
    public void listed(String queryClass, String variant, int items) {
        listed.add(items);
    }

    @Override
    public FanOutChoice choose(String queryClass, String queryId, Features known, List<String> components) {
        features.add(known);
        return new FanOutChoice(asked.apply(components), kept, reason);
    }

    @Override
    public void rejected(String queryClass) {
        rejected.incrementAndGet();
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        late.incrementAndGet();
    }
}
