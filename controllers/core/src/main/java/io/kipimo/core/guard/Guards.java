package io.kipimo.core.guard;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Unmeasurable;

/** The guard rails in their order, the outermost first. */
public final class Guards {
    /** A step that is worse by so much leaves no time to wait for the effect of the last move. */
    private static final double WORSE = 0.1;

    private Guards() {}

    /**
     * Around a controller: what must be true of a measurement before it moves anything.
     *
     * @param mayOpen whether no other controller has the turn
     */
    public static <S> Governor<S> aroundController(
            Policy policy, boolean mayOpen, Governor<S> controller) {
        AdmissionPolicy admission = policy.admission();
        return new StaleInput<>(
                staleAfterMillis(admission),
                new FullWindow<>(
                        policy.windowMillis(),
                        new MinimumRate<>(
                                admission.minimumRatePerSecond(),
                                new MinimumMeasurable<>(
                                        Unmeasurable.LEAST_MEASURABLE_SHARE,
                                        new MinimumSamples<>(
                                                admission.minimumSamples(),
                                                new DeadBand<>(
                                                        admission.deadBand(),
                                                        new AwaitEffect<>(
                                                                WORSE,
                                                                new Agreement<>(
                                                                        opening(
                                                                                mayOpen,
                                                                                new ShutOnMean<>(
                                                                                        controller))))))))));
    }

    /** What must be true besides before anything opens. */
    private static <S> Governor<S> opening(boolean mayOpen, Governor<S> controller) {
        return new RisingExpired<>(
                new OneMover<>(mayOpen, new OpenOnMeasurable<>(new OpenOnLowEnd<>(controller))));
    }

    /** Around what a class is allotted: what must be true of a fraction before it is published. */
    public static <S> Governor<S> aroundClass(
            Policy policy, ClassPolicy classPolicy, Governor<S> allotted) {
        AdmissionPolicy admission = policy.admission();
        return new KillSwitch<>(
                policy.killSwitch(),
                classPolicy.safeFraction(),
                new ManualWord<>(
                        classPolicy.override(),
                        new Shadow<>(
                                admission.shadow(),
                                new Bounds<>(
                                        classPolicy.floor(),
                                        classPolicy.ceiling(),
                                        new SlewLimit<>(
                                                admission.slewUp(),
                                                admission.slewDown(),
                                                allotted)))));
    }

    /** Age at which a measurement is stale, milliseconds. */
    public static long staleAfterMillis(AdmissionPolicy admission) {
        return admission.staleAfterPeriods() * admission.periodMillis();
    }
}
