package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlWindows;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.guard.ServiceController;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.HashMap;
import java.util.Map;

/**
 * The whole admission decision for one service (Ubora, sec. 8): the controller chooses the admitted share of the lower
 * classes so that the highest keeps its answer quality.
 *
 * <p>{@link #step} runs on every batch window of the highest class, {@link #heartbeat} every period of processing time.
 * Both answer with one decision for every class, or with none. While another controller holds the actuation lock,
 * nothing opens.
 *
 * <p>The controller's output u is the opened part, 0..1, of the room between the lower classes' floors and ceilings;
 * {@link ShedOrder} allots it to the classes. Each step computes u anew from the fractions in force. In shadow mode no
 * decision comes into force. So every shadow decision is one step away from the fractions in force, and the end of
 * shadow mode causes no jump.
 *
 * <p>The loop shuts when the mean quality is below the objective. It opens when the interval's low end is above the
 * objective, in proportion to the distance. In between nothing moves. So the loop settles with quality between the
 * objective and one half-width of the interval above it.
 */
public final class AdmissionLoop
        implements ServiceController<AdmissionState, QualityWindow, ReplicationDecision, Decision> {
    /** A window that ends later than this after the present time comes from a wrong clock and is rejected. */
    private static final long FUTURE_TOLERANCE_MILLIS = 60_000;

    @Override
    public AdmissionState initial() {
        return AdmissionState.initial();
    }

    /**
     * Makes a control step. It decides nothing if the policy is impossible, if the window is not a batch of the highest
     * class by the first metric, if the window ends no later than an earlier one, or if the window is so old that the
     * job must be working off a backlog.
     */
    @Override
    public Step<AdmissionState, Decision> step(
            AdmissionState before, QualityWindow batch, StepContext<Policy> context) {
        Policy policy = context.policy();
        AdmissionState state = learn(before, batch, policy, context.nowMillis());
        if (!PolicyCheck.problems(policy).isEmpty()) {
            return Step.silent(state.because(DecisionReason.HELD_IMPOSSIBLE_POLICY));
        }
        if (!ControlWindows.steers(batch, WindowKind.BATCH, policy)) {
            return Step.silent(state);
        }
        AdmissionControlStep step = new AdmissionControlStep(state, context);
        if (!isPossible(batch, context.nowMillis())) {
            return step.hold(DecisionReason.HELD_IMPOSSIBLE_INPUT);
        }
        if (batch.endMillis() <= state.lastWindowMillis()) {
            return Step.silent(state);
        }
        // Not among the guards: a stale window must change nothing under NO_CONTROL either.
        boolean isStale =
                Guards.isStale(batch.endMillis(), Guards.staleAfterMillis(policy.admission()), context.nowMillis());
        return isStale ? Step.silent(step.catchUp(batch)) : step.move(batch);
    }

    /** Adds the load and the costs of a batch of any class to the state. */
    private static AdmissionState learn(AdmissionState state, QualityWindow batch, Policy policy, long nowMillis) {
        boolean isUsed = batch.kind() == WindowKind.BATCH
                && batch.service().equals(policy.service())
                && batch.metric().equals(policy.metrics().get(0))
                && policy.classPolicy(batch.queryClass()).isPresent()
                && batch.endMillis() <= nowMillis + FUTURE_TOLERANCE_MILLIS;
        return isUsed ? learnCosts(state.withLoad(state.load().with(batch, policy)), batch, policy) : state;
    }

    private static AdmissionState learnCosts(AdmissionState state, QualityWindow batch, Policy policy) {
        if (policy.classPolicy(batch.queryClass())
                .filter(c -> c.costOrder() > 0)
                .isEmpty()) {
            return state;
        }
        Map<String, CostProfile> costs = new HashMap<>(state.costs());
        costs.keySet().removeIf(name -> policy.classPolicy(name).isEmpty());
        CostProfile known = costs.get(batch.queryClass());
        if (known == null || known.asOfMillis() <= batch.endMillis()) {
            costs.put(batch.queryClass(), new CostProfile(batch.endMillis(), batch.costDeciles()));
        }
        return state.withCosts(costs);
    }

    /**
     * Renews the fractions in force, applies overrides and the kill switch, and, long after the last usable
     * measurement, goes to the safe fractions. While the job works off a backlog, it publishes manual decisions only.
     */
    @Override
    public Step<AdmissionState, Decision> heartbeat(AdmissionState state, StepContext<Policy> context) {
        return PolicyCheck.problems(context.policy()).isEmpty()
                ? new AdmissionControlStep(state, context).renew()
                : Step.silent(state.because(DecisionReason.HELD_IMPOSSIBLE_POLICY));
    }

    /**
     * Takes the fraction that an actuator reports, unless a decision of this loop is in force. So a controller that
     * lost its state, or that runs in shadow mode, continues from the real fraction.
     *
     * @param fraction 0..1; other values are ignored
     * @param nowMillis processing time, epoch milliseconds
     */
    public static AdmissionState learn(AdmissionState state, String queryClass, double fraction, long nowMillis) {
        InForce known = state.inForce().get(queryClass);
        boolean ours = known != null && known.validUntilMillis() > nowMillis;
        if (ours || !(fraction >= 0 && fraction <= 1)) {
            return state;
        }
        Map<String, InForce> inForce = new HashMap<>(state.inForce());
        inForce.put(queryClass, new InForce(fraction, nowMillis));
        return state.withInForce(inForce);
    }

    /**
     * Returns the actuation lock after a decision on replication factors. A decision in effect that is part of a trial
     * takes the lock for as long as the decision is valid. Any other decision releases it.
     */
    @Override
    public MoverTurn lockAfter(MoverTurn lock, ReplicationDecision replication, Policy policy) {
        return lockAfter(lock, replication);
    }

    /**
     * Returns the actuation lock after a decision on replication factors, as {@link #lockAfter(MoverTurn,
     * ReplicationDecision, Policy)} does, which ignores its policy.
     */
    public static MoverTurn lockAfter(MoverTurn lock, ReplicationDecision replication) {
        return replication.mode().isEffective() && replication.inTrial()
                ? lock.taken(
                        Mover.REPLICATION,
                        replication.issuedAtMillis(),
                        replication.validUntilMillis() - replication.issuedAtMillis())
                : lock.released(Mover.REPLICATION);
    }

    private static boolean isPossible(QualityWindow w, long nowMillis) {
        return w.startMillis() >= 0
                && w.startMillis() < w.endMillis()
                && w.endMillis() <= nowMillis + FUTURE_TOLERANCE_MILLIS
                && w.timedOut() >= 0
                && w.timedOut() <= w.answered()
                && w.expired() >= 0
                && w.expired() <= w.samples()
                && w.averagedSamples() >= 0
                && w.lossPerTimeOut().map(l -> l >= 0 && l <= 1).orElse(true);
    }
}
