package io.kipimo.examples.search.frontend;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.sdk.Kipimo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Telemetry through Kipimo's SDK. The caller closes the connection. */
public final class KipimoTelemetry implements Telemetry {
    private final Kipimo kipimo;

    public KipimoTelemetry(Kipimo kipimo) {
        this.kipimo = kipimo;
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
    public void answered(OfferedQuery query, List<Invocation> invocations) {
        kipimo.meter().answered(query.queryClass(), invocations, Optional.empty(), query.cost());
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        kipimo.meter().lateResult(queryClass, workMicros);
    }
}
