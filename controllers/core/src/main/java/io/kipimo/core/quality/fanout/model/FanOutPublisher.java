package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides what is published of a learned model: whether front ends choose components by it (ON), only tell what they
 * would choose (SHADOW), or ask all (OFF), and why.
 *
 * <p>The state is OFF if the choices save less than the policy's minimum at the floor, if predictions promised too
 * much, if too few queries were learned, and after a shift of contributions or a change of the components. To turn on,
 * a model needs a fifth more saving and better predictions than to stay on, so that the state does not flap.
 */
public final class FanOutPublisher {
    /** Queries of which a model must have learned. */
    static final long LEAST_QUERIES = 500;

    /** Saving needed to turn on, as a multiple of the saving needed to stay on. */
    static final double TURN_ON = 1.2;

    /** Greatest quality that choices may promise above what they keep, for a model to stay on. */
    static final double MOST_ERROR = 0.05;

    static final double MOST_ERROR_TO_TURN_ON = 0.04;

    /** Newly learned queries after which a model is published again, as a share of the queries that it knows. */
    private static final double CHANGED_SHARE = 0.05;

    /** Newly learned queries after which any model is published again; it learns a shift within some ten queries. */
    private static final double CHANGED_QUERIES = 50;

    private final FanOutPolicy policy;
    private final ServiceClass scope;
    private final long leaseMillis;
    private final boolean isOffered;

    private FanOutPublisher(Policy policy, ServiceClass scope, long slideMillis) {
        this.policy = policy.fanOut().orElseGet(() -> FanOutPolicy.defaults(List.of()));
        this.scope = scope;
        // A lease that ends before the next slide could never be renewed.
        this.leaseMillis = Math.max(this.policy.leaseMillis(), 3 * slideMillis);
        this.isOffered = !policy.killSwitch() && this.policy.classes().contains(scope.queryClass());
    }

    /** Whether the model may be used now, why, and the saving and the quality of its choices. */
    private record ModelVerdict(boolean holds, String reason, double saving, double quality) {
        static ModelVerdict no(String reason) {
            return new ModelVerdict(false, reason, 0, 0);
        }
    }

    /**
     * The next publication; empty: the one in force stays.
     *
     * @param inForce the last publication of the class
     * @param learner the model so far; empty: no query with features was learned
     * @param slideMillis time until this is called again
     * @param nowMillis event time, epoch milliseconds
     */
    public static Optional<FanOutPublication> next(
            Optional<FanOutPublication> inForce,
            Optional<ContributionLearner> learner,
            Policy policy,
            ServiceClass scope,
            long slideMillis,
            long nowMillis) {
        return new FanOutPublisher(policy, scope, slideMillis).next(inForce, learner, nowMillis);
    }

    private Optional<FanOutPublication> next(
            Optional<FanOutPublication> inForce, Optional<ContributionLearner> learner, long nowMillis) {
        boolean wasOn = inForce.filter(p -> p.state() != FanOutState.OFF).isPresent();
        if (!isOffered && !wasOn) {
            return Optional.empty();
        }
        ModelVerdict verdict = isOffered
                ? verdict(inForce, learner, wasOn)
                : ModelVerdict.no("the policy does not let this class ask fewer components");
        FanOutState state = !verdict.holds ? FanOutState.OFF : policy.shadow() ? FanOutState.SHADOW : FanOutState.ON;
        long queries = learner.map(ContributionLearner::learned).orElse(0L);
        if (inForce.isPresent() && !isDue(inForce.get(), state, verdict.reason, queries, nowMillis)) {
            return Optional.empty();
        }
        long version = inForce.map(p -> Math.max(p.version() + 1, nowMillis)).orElse(nowMillis);
        return Optional.of(FanOutPublicationBuilder.builder()
                .service(scope.service())
                .queryClass(scope.queryClass())
                .version(version)
                .learnedAtMillis(nowMillis)
                .validUntilMillis(nowMillis + leaseMillis)
                .state(state)
                .reason(verdict.reason)
                .floor(policy.floor())
                .price(policy.price())
                .exploration(policy.exploration())
                .queries(queries)
                .saving(verdict.saving)
                .quality(verdict.quality)
                .model(
                        state == FanOutState.OFF
                                ? Optional.empty()
                                : learner.map(l -> l.model(version, nowMillis).table()))
                .build());
    }

    private boolean isDue(FanOutPublication last, FanOutState state, String reason, long queries, long nowMillis) {
        boolean isOtherwise = last.state() != state
                || last.floor() != policy.floor()
                || last.price() != policy.price()
                || last.exploration() != policy.exploration();
        if (isOtherwise) {
            return true;
        }
        long age = nowMillis - last.learnedAtMillis();
        if (state == FanOutState.OFF) {
            return age >= leaseMillis / 2
                    || (age >= policy.periodMillis() && !last.reason().equals(reason));
        }
        long learned = queries - last.queries();
        double most = Math.min((double) last.queries(), ContributionLearner.HALF_LIFE_QUERIES);
        // A model that learns nothing more is not renewed: its lease ends, and all are asked.
        double enough = Math.min(CHANGED_SHARE * most, CHANGED_QUERIES);
        return (age >= policy.periodMillis() && Math.abs(learned) >= enough)
                || (age >= leaseMillis / 2 && learned != 0);
    }

    private ModelVerdict verdict(
            Optional<FanOutPublication> inForce, Optional<ContributionLearner> known, boolean wasOn) {
        if (known.isEmpty()) {
            return ModelVerdict.no("no query was learned; answers must state features");
        }
        ContributionLearner learner = known.get();
        boolean isOtherLayout = inForce.flatMap(FanOutPublication::model)
                .filter(m -> !m.components().equals(learner.components()))
                .isPresent();
        if (isOtherLayout) {
            return ModelVerdict.no("the components have changed; the model begins anew");
        }
        if (learner.learned() < LEAST_QUERIES) {
            return ModelVerdict.no("learned from " + learner.learned() + " queries; needed: " + LEAST_QUERIES);
        }
        if (learner.hasShifted(policy.floor(), wasOn)) {
            return ModelVerdict.no("what components contribute has shifted; the model is learning it");
        }
        FanOutCurve curve = learner.curve();
        if (curve.learned().isEmpty() || !learner.isCalibrated(wasOn ? MOST_ERROR : MOST_ERROR_TO_TURN_ON)) {
            return ModelVerdict.no("predictions do not hold: they promise more than choices keep");
        }
        double saving = 1 - at(curve.learned(), FanOutFigure.EFFORT);
        double quality = at(curve.learned(), FanOutFigure.QUALITY);
        double needed = policy.minimumSaving() * (wasOn ? 1 : TURN_ON);
        String figures = "saves %s of the work at floor %s"
                .formatted(percent(saving), String.format(Locale.ROOT, "%.2f", policy.floor()));
        return saving >= needed
                ? new ModelVerdict(true, figures, saving, quality)
                : new ModelVerdict(
                        false, "nothing to gain: " + figures + "; needed: " + percent(needed), saving, quality);
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    private enum FanOutFigure {
        EFFORT,
        QUALITY;

        double of(FanOutFloor floor) {
            return this == EFFORT ? floor.effort() : floor.quality().mean();
        }
    }

    /** A figure at the policy's floor, interpolated between the floors that were tried. */
    private double at(List<FanOutFloor> floors, FanOutFigure figure) {
        double aboveFloor = 1;
        double above = 1;
        for (FanOutFloor floor : floors) {
            double value = figure.of(floor);
            if (policy.floor() >= floor.floor()) {
                double span = aboveFloor - floor.floor();
                double part = span <= 0 ? 0 : (policy.floor() - floor.floor()) / span;
                return value + part * (above - value);
            }
            aboveFloor = floor.floor();
            above = value;
        }
        return above;
    }
}
