package io.kipimo.gateway.control;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.trace.TraceParent;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Without a log: every class at its safe fraction, no copies, nothing measured. */
public final class NoControl implements Control {
    private final Map<String, ClassDefaults> classes;

    public NoControl(Map<String, ClassDefaults> classes) {
        this.classes = Map.copyOf(classes);
    }

    @Override
    public boolean admits(String queryClass, String queryId) {
        return HashAdmission.admits(queryId, fraction(queryClass), System.currentTimeMillis());
    }

    @Override
    public double fraction(String queryClass) {
        return classes.get(queryClass).safeFraction();
    }

    @Override
    public OptionalLong decisionAgeMillis(String queryClass) {
        return OptionalLong.empty();
    }

    @Override
    public int factor(String tier) {
        return 1;
    }

    @Override
    public boolean isSampled(TraceParent query, long startedAtMillis) {
        return false;
    }

    @Override
    public boolean wantsPartials(TraceParent query, Answer answer) {
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
    public void answered(String queryClass, List<Invocation> invocations) {}

    @Override
    public void lateResult(String queryClass, long workMicros) {}

    @Override
    public ServerReporter reporter(ServerIdentity server) {
        return ServerReporter.silent(server);
    }

    @Override
    public void close() {}
}
