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

/** Decisions in force, and the way out for measurements; for any thread, never blocks. */
public interface Control extends AutoCloseable {
    /** Whether a query is admitted by the fraction in force. */
    boolean admits(String queryClass, String queryId);

    /** The admitted fraction in force, 0..1. */
    double fraction(String queryClass);

    /**
     * Since the newest decision was issued, before the first one since the start, milliseconds;
     * empty: nobody decides.
     */
    OptionalLong decisionAgeMillis(String queryClass);

    /** Copies of a request of the tier, at least 1. */
    int factor(String tier);

    boolean isSampled(String queryId, long startedAtMillis);

    /** Whether ONLINE results are to be told of. */
    boolean wantsPartials(Answer answer);

    void emit(Answer answer);

    void emit(PartialResult partial);

    void offered(String queryClass);

    void rejected(String queryClass);

    /** An answer left; with a reason if nobody can tell its quality. */
    void answered(
            String queryClass, List<Invocation> invocations, Optional<Unmeasurable> unmeasurable);

    void lateResult(String queryClass, long workMicros);

    /** Who counts what a server does, and tells it each second. */
    ServerReporter reporter(ServerIdentity server);

    @Override
    void close();
}
