package io.kipimo.examples.search.frontend;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.sdk.Kipimo;
import java.util.List;
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
    public boolean admits(String queryClass, String queryId) {
        return kipimo.admission().admits(queryClass, queryId);
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
    public void offered(String queryClass) {
        kipimo.meter().offered(queryClass);
    }

    @Override
    public void rejected(String queryClass) {
        kipimo.meter().rejected(queryClass);
    }

    @Override
    public void answered(String queryClass, List<Invocation> invocations) {
        kipimo.meter().answered(queryClass, invocations);
    }

    @Override
    public void lateResult(String queryClass, long workMicros) {
        kipimo.meter().lateResult(queryClass, workMicros);
    }
}
