package io.kipimo.sdk.internal.control;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.ServerReports;
import io.kipimo.sdk.ServiceMeter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** Control through Kafka. While Kafka is down, decisions hold until their lease ends. */
public final class KipimoControl implements Control {
    private final Kipimo kipimo;
    private final ServerReports reports;

    private KipimoControl(Kipimo kipimo, ServerReports reports) {
        this.kipimo = kipimo;
        this.reports = reports;
    }

    /**
     * Starts the control. It does not wait for Kafka.
     *
     * @throws IllegalArgumentException if a setting cannot be used; the message lists all problems
     */
    public static KipimoControl connect(KipimoConfig config) {
        return connect(config, LongUnaryOperator.identity());
    }

    /**
     * As above, for a program that holds answers and results for a while before it emits them.
     *
     * @param emittedUpTo as in {@link Kipimo#connect(KipimoConfig, LongUnaryOperator)}
     */
    public static KipimoControl connect(KipimoConfig config, LongUnaryOperator emittedUpTo) {
        return new KipimoControl(Kipimo.connect(config, emittedUpTo), ServerReports.connect(config.kafka()));
    }

    @Override
    public boolean admits(String queryClass, String queryId, double cost) {
        return kipimo.admission().admits(queryClass, queryId, cost);
    }

    @Override
    public double fraction(String queryClass) {
        return kipimo.admission().fraction(queryClass);
    }

    @Override
    public OptionalLong decisionAgeMillis(String queryClass) {
        return OptionalLong.of(kipimo.admission().decisionAgeMillis(queryClass));
    }

    @Override
    public int factor(String tier) {
        return kipimo.replication().factor(tier);
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return kipimo.emitter().isSampled(queryId, startedAtMillis);
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis, double probability) {
        return probability == 1
                ? isSampled(queryId, startedAtMillis)
                : ConsistentSampling.isSampled(
                        queryId, Math.min(1, kipimo.emitter().samplingRate() / probability));
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return kipimo.emitter().wantsPartials(answer);
    }

    @Override
    public void emit(Answer answer) {
        kipimo.emitter().emit(answer);
    }

    @Override
    public void emit(PartialResult partial) {
        kipimo.emitter().emit(partial);
    }

    @Override
    public void offered(String queryClass, double cost) {
        kipimo.meter().offered(queryClass, cost);
    }

    @Override
    public void rejected(String queryClass) {
        kipimo.meter().rejected(queryClass);
    }

    @Override
    public void answered(
            String queryClass,
            String variant,
            List<Invocation> invocations,
            Optional<Unmeasurable> unmeasurable,
            double cost,
            Optional<Double> notAskedLoss) {
        ServiceMeter meter = meter(variant);
        kipimo.meter().offeredTo(meter, queryClass, cost);
        meter.answered(queryClass, invocations, unmeasurable, cost, notAskedLoss);
    }

    @Override
    public void listed(String queryClass, String variant, int items) {
        meter(variant).listed(queryClass, items);
    }

    @Override
    public FanOutChoice choose(String queryClass, String queryId, Features features, List<String> components) {
        return kipimo.fanOut().choose(queryClass, queryId, features, components);
    }

    @Override
    public String variant(String named) {
        return meter(named).variant();
    }

    private ServiceMeter meter(String variant) {
        if (variant.isEmpty()) {
            return kipimo.meter();
        }
        try {
            return kipimo.meter().ofVariant(variant);
        } catch (IllegalArgumentException e) {
            // No name.
            return kipimo.meter().ofVariant(Variants.OTHER);
        }
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        kipimo.meter().lateResult(queryClass, workMicros);
    }

    @Override
    public ServerReporter reporter(ServerIdentity server) {
        return reports.of(server);
    }

    @Override
    public void report(ReplicaTruth truth) {
        reports.report(truth);
    }

    @Override
    public void close() {
        reports.close();
        kipimo.close();
    }
}
