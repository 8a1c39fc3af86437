package io.kipimo.core.rating;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.guard.Step;
import io.kipimo.core.rating.EarlyStop.Outlook;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.Objects;
import java.util.Optional;

/**
 * One step of a squeeze: (state, input, now) -> (state, decision). It raises one server's share of real traffic in
 * steps until the server breaks the agreement, and then restores the first share at once.
 *
 * <p>Safety comes first. A step that certainly fails ends early, even during settling. The other servers keep part of
 * the traffic and must keep the agreement too. The squeeze ends if one of them goes out of service or if reports cease.
 * A failed share is never retried, since the requests come from real users.
 */
public final class Squeeze {

    /**
     * Settings of a squeeze.
     *
     * @param agreement agreement that the squeezed server and all others must keep
     * @param raise growth of the share from step to step, as a fraction of the share, 0.01..1
     * @param mostShare largest share of the traffic for the server, 0.01..0.99, so the others stay in service
     * @param settleMillis time after a raise in which only certain failures count, up to 3,600,000
     * @param stepMillis measured time of each step, 1 or more
     * @param earlyStopError probability that an early end is wrong, 1e-12..0.1
     * @param patienceMillis time without reports after which the squeeze ends, 1 or more
     */
    public record Squeezing(
            AgreementTerms agreement,
            double raise,
            double mostShare,
            long settleMillis,
            long stepMillis,
            double earlyStopError,
            long patienceMillis) {
        public Squeezing {
            Objects.requireNonNull(agreement, "agreement");
            Bounds.within("raise", raise, 0.01, 1);
            Bounds.within("mostShare", mostShare, 0.01, 0.99);
            Bounds.within("settleMillis", (double) settleMillis, 0, 3_600_000);
            Bounds.within("stepMillis", (double) stepMillis, 1, 3_600_000);
            Bounds.within("earlyStopError", earlyStopError, 1e-12, 0.1);
            Bounds.within("patienceMillis", (double) patienceMillis, 1, 3_600_000);
        }
    }

    /** Least number of successive requests that are assumed to be correlated. */
    private static final double LEAST_DEPENDENCE = 10;

    /** Least number of requests for a verdict on a share. */
    private static final long LEAST_REQUESTS = 20;

    private Squeeze() {}

    /** Takes a step; call it about once a second. Without a decision the share stays. */
    public static Step<SqueezeState, SqueezeDecision> next(
            Squeezing settings, SqueezeState state, SqueezeInput input, long nowMillis) {
        SqueezeState known = new SqueezeState(
                state.share(),
                state.sinceMillis(),
                input.isNew() ? nowMillis : state.lastReportMillis(),
                state.settled(),
                state.target().plus(input.target()),
                state.rest().plus(input.rest()));
        long elapsed = nowMillis - known.sinceMillis();
        if (!input.restIsUp()) {
            return over(known, SqueezeEnding.REST_DOWN, Optional.empty());
        }
        if (nowMillis - known.lastReportMillis() > settings.patienceMillis()) {
            return over(known, SqueezeEnding.BLIND, Optional.empty());
        }
        boolean fails = input.drowning() || surelyFails(settings, known.target(), elapsed);
        if (fails) {
            return over(known, SqueezeEnding.BROKEN, result(settings, known, elapsed, false));
        }
        if (surelyFails(settings, known.rest(), elapsed)) {
            return over(known, SqueezeEnding.REST_BROKEN, Optional.empty());
        }
        if (!known.settled()) {
            return elapsed < settings.settleMillis()
                    ? Step.silent(known)
                    : Step.silent(new SqueezeState(
                            known.share(),
                            known.sinceMillis(),
                            known.lastReportMillis(),
                            true,
                            ExperimentCounts.NONE,
                            ExperimentCounts.NONE));
        }
        return elapsed < settings.settleMillis() + settings.stepMillis()
                ? Step.silent(known)
                : judge(settings, known, elapsed, nowMillis);
    }

    private static Step<SqueezeState, SqueezeDecision> judge(
            Squeezing settings, SqueezeState state, long elapsed, long nowMillis) {
        ExperimentCounts target = state.target();
        boolean unscored = settings.agreement().leastQuality() > 0 && target.scored() == 0;
        if (target.requests() < LEAST_REQUESTS || unscored) {
            long patience = settings.settleMillis() + settings.stepMillis();
            return elapsed < patience + settings.patienceMillis()
                    ? Step.silent(state)
                    : over(state, SqueezeEnding.BLIND, Optional.empty());
        }
        if (ExperimentEvaluator.verdict(target, settings.agreement()) == Verdict.FAILED) {
            return over(state, SqueezeEnding.BROKEN, result(settings, state, elapsed, false));
        }
        // Quality is known only for the whole service, and the target's verdict covers it.
        if (state.rest().requests() > 0 && brokeByTheRest(settings, state.rest())) {
            return over(state, SqueezeEnding.REST_BROKEN, Optional.empty());
        }
        Optional<SqueezeDecision.StepResult> passed = result(settings, state, elapsed, true);
        // The share that a load balancer applies deviates slightly from the requested one.
        if (state.share() * (1 + settings.raise() / 10) >= settings.mostShare()) {
            return over(state, SqueezeEnding.MOST_SHARE, passed);
        }
        double share = Math.min(settings.mostShare(), state.share() * (1 + settings.raise()));
        return Step.of(
                SqueezeState.at(share, nowMillis, state.lastReportMillis()),
                new SqueezeDecision.Raise(share, passed.orElseThrow()));
    }

    private static boolean brokeByTheRest(Squeezing settings, ExperimentCounts rest) {
        var agreement = settings.agreement();
        return rest.within() < agreement.leastWithin() * rest.requests()
                || rest.errors() > agreement.mostErrors() * rest.requests();
    }

    private static boolean surelyFails(Squeezing settings, ExperimentCounts tally, long elapsed) {
        if (tally.requests() == 0) {
            return false;
        }
        double perSecond = tally.requests() * 1e3 / Math.max(1_000, elapsed);
        // About as many requests share a queue as arrive within the latency bound.
        double dependence =
                Math.max(LEAST_DEPENDENCE, perSecond * settings.agreement().boundMicros() / 1e6);
        return new EarlyStop(settings.earlyStopError(), dependence).of(settings.agreement(), tally, 0)
                == Outlook.SURELY_FAILS;
    }

    private static Optional<SqueezeDecision.StepResult> result(
            Squeezing settings, SqueezeState state, long elapsed, boolean passed) {
        long measured = state.settled() ? elapsed - settings.settleMillis() : elapsed;
        return Optional.of(new SqueezeDecision.StepResult(
                state.share(), Math.max(0, measured), state.target(), passed ? Verdict.PASSED : Verdict.FAILED));
    }

    private static Step<SqueezeState, SqueezeDecision> over(
            SqueezeState state, SqueezeEnding ending, Optional<SqueezeDecision.StepResult> last) {
        return Step.of(state, new SqueezeDecision.BackOff(ending, last));
    }
}
