package io.kipimo.examples.search.frontend;

import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.sdk.Kipimo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Telemetry through Kipimo's SDK. The caller closes the connection. */
public final class KipimoTelemetry implements Telemetry {
    private final Kipimo kipimo;
    private final boolean choosesComponents;

    /** Telemetry for queries that always ask all components. */
    public KipimoTelemetry(Kipimo kipimo) {
        this(kipimo, false);
    }

    /**
     * Makes a telemetry.
     *
     * @param choosesComponents whether queries may ask fewer components
     */
    public KipimoTelemetry(Kipimo kipimo, boolean choosesComponents) {
        this.kipimo = kipimo;
        this.choosesComponents = choosesComponents;
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return kipimo.emitter().isSampled(queryId, startedAtMillis);
    }

    @Override
    public boolean admits(OfferedQuery query) {
        return kipimo.admission().admits(query.queryClass(), query.id(), query.cost());
    }

    @Override
    public FanOutChoice choose(OfferedQuery query, Features features, List<String> components) {
        return choosesComponents
                ? kipimo.fanOut().choose(query.queryClass(), query.id(), features, components)
                : Telemetry.super.choose(query, features, components);
    }

    @Override
    public OptionalDouble predictedCompleteness(String queryClass, List<Invocation> invocations) {
        return kipimo.completeness().predict(queryClass, invocations);
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return kipimo.emitter().wantsPartials(answer);
    }

    @Override
    public void answer(Answer answer) {
        kipimo.emitter().emit(answer);
    }

    @Override
    public void partial(PartialResult partial) {
        kipimo.emitter().emit(partial);
    }

    @Override
    public void offered(OfferedQuery query) {
        kipimo.meter().offered(query.queryClass(), query.cost());
    }

    @Override
    public void rejected(OfferedQuery query) {
        kipimo.meter().rejected(query.queryClass());
    }

    @Override
    public void answered(OfferedQuery query, List<Invocation> invocations, Optional<Double> notAskedLoss) {
        kipimo.meter().answered(query.queryClass(), invocations, Optional.empty(), query.cost(), notAskedLoss);
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        kipimo.meter().lateResult(queryClass, workMicros);
    }
}
