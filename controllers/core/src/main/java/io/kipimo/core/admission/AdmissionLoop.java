package io.kipimo.core.admission;

import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.MoverTurn.Mover;
import io.kipimo.core.guard.PolicyCheck;
import io.kipimo.core.guard.Reason;
import io.kipimo.core.guard.StaleInput;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole admission decision for one service (Ubora, sec. 8): the controller chooses the admitted
 * share of the lower classes so that the highest keeps its answer quality.
 *
 * <p>{@link #step} runs on every batch window of the highest class, {@link #heartbeat} every period
 * of processing time: it renews the leases and applies what persons say. Both are pure; both answer
 * with one decision for every class, or with none.
 *
 * <p>The controller's output u is the opened part, 0..1, of the room between the lower classes'
 * floors and ceilings; {@link ShedOrder} deals it out. u is taken anew from the fractions in force
 * each time. In shadow mode nothing that is decided comes into force, so every shadow decision is
 * one step away from what is, and switching it off is bumpless.
 *
 * <p>Quality below the objective (by its mean) shuts; quality whose low end is at or above it
 * opens, in proportion to the distance of the low end; in between nothing moves. So the loop
 * settles with quality between the objective and one half-width of the interval above it.
 */
public final class AdmissionLoop {
    /** A window that ends later than this after now is the word of a wrong clock. */
    private static final long FUTURE_TOLERANCE_MILLIS = 60_000;

    private AdmissionLoop() {}

    /**
     * A control step. No decisions, and no step, on: a window that is not a batch of the highest
     * class by the first metric, or ends no later than one seen before; a policy that cannot be; a
     * window so old that the job must be working off a backlog.
     *
     * @param epoch of the job attempt
     * @param nowMillis processing time, epoch milliseconds
     */
    public static AdmissionStep step(
            AdmissionState state, Policy policy, QualityWindow batch, long epoch, long nowMillis) {
        return step(state, policy, batch, MoverTurn.FREE, epoch, nowMillis);
    }

    /**
     * The same beside other controllers.
     *
     * @param turn who may move the service: in another's turn nothing opens
     */
    public static AdmissionStep step(
            AdmissionState state,
            Policy policy,
            QualityWindow batch,
            MoverTurn turn,
            long epoch,
            long nowMillis) {
        if (!PolicyCheck.problems(policy).isEmpty()) {
            return silent(state.because(Reason.HELD_IMPOSSIBLE_POLICY));
        }
        if (!isControlBatch(policy, batch)) {
            return silent(state);
        }
        if (!isPossible(batch, nowMillis)) {
            return new Turn(policy, state, epoch, nowMillis).hold(Reason.HELD_IMPOSSIBLE_INPUT);
        }
        if (batch.endMillis() <= state.lastWindowMillis()) {
            return silent(state);
        }
        Turn inTurn = new Turn(policy, state, epoch, nowMillis);
        boolean catchingUp =
                StaleInput.isStale(
                        batch.endMillis(), Guards.staleAfterMillis(policy.admission()), nowMillis);
        return catchingUp
                ? silent(inTurn.seen(batch, true))
                : inTurn.move(batch, turn.isFreeFor(Mover.ADMISSION, nowMillis));
    }

    /**
     * Renews what is in force, applies overrides and the kill switch, and, long after the last
     * usable measurement, approaches the safe fractions. While the job works off a backlog it says
     * nothing, but for what persons decided.
     *
     * @param epoch of the job attempt
     * @param nowMillis processing time, epoch milliseconds
     */
    public static AdmissionStep heartbeat(
            AdmissionState state, Policy policy, long epoch, long nowMillis) {
        return PolicyCheck.problems(policy).isEmpty()
                ? new Turn(policy, state, epoch, nowMillis).renew()
                : silent(state.because(Reason.HELD_IMPOSSIBLE_POLICY));
    }

    /**
     * What an actuator reports to have in force. Heeded only where no decision of this loop is: a
     * controller that lost its state, or that runs in shadow, goes on from what is.
     *
     * @param fraction 0..1; anything else is not heeded
     * @param nowMillis processing time, epoch milliseconds
     */
    public static AdmissionState learn(
            AdmissionState state, String queryClass, double fraction, long nowMillis) {
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
     * Whose turn it is after a decision on replication factors: that of a trial, for as long as its
     * decision is valid; then nobody's, also when replication falls silent.
     */
    public static MoverTurn hear(MoverTurn turn, ReplicationDecision replication) {
        return replication.mode().isEffective() && replication.inTrial()
                ? turn.taken(
                        Mover.REPLICATION,
                        replication.issuedAtMillis(),
                        replication.validUntilMillis() - replication.issuedAtMillis())
                : turn.released(Mover.REPLICATION);
    }

    private static AdmissionStep silent(AdmissionState state) {
        return new AdmissionStep(state, List.of());
    }

    private static boolean isControlBatch(Policy policy, QualityWindow window) {
        return window.kind() == WindowKind.BATCH
                && window.service().equals(policy.service())
                && window.queryClass().equals(policy.highestClass().name())
                && window.metric().equals(policy.metrics().get(0));
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
