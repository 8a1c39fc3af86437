package io.kipimo.gateway.control;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes no copies, samples nothing and emits nothing. Subclasses decide on admission. */
public abstract class SilentControl implements Control {
    @Override
    public OptionalLong decisionAgeMillis(String queryClass) {
        return OptionalLong.empty();
    }

    @Override
    public int factor(String tier) {
        return 1;
    }

    @Override
    public boolean isSampled(String queryId, long startedAtMillis) {
        return false;
    }

    @Override
    public boolean wantsPartials(Answer answer) {
        return false;
    }

    @Override
    public void emit(Answer answer) {}

    @Override
    public void emit(PartialResult partial) {}

    @Override
    public void offered(String queryClass) {}

    @Override
    public void rejected(String queryClass) {}

    @Override
    public void answered(String queryClass, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable) {}

    @Override
    public void lateResult(String queryClass, long workMicros) {}

    @Override
    public ServerReporter reporter(ServerIdentity server) {
        return ServerReporter.silent(server);
    }

    @Override
    public void close() {}
}
