package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.TrialPolicy;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * State of the replicator of one service.
 *
 * @param epoch epoch of the last decision
 * @param sequence sequence number of the last decision within the epoch
 * @param inForce factors last published, including those of a trial
 * @param search {@code search.current()} are the proven factors
 * @param toLower tiers for which one copy less is still to be tried, first to last
 * @param trial the running trial
 * @param baseline measurements under the proven factors
 * @param smoothed newest conditions; empty: no window yet
 * @param fanOut requests to each tier per request to the first, without copies; empty: not known yet
 * @param reference conditions at the start of the search; empty: not known yet
 * @param modelRefuted whether a trial of this search refuted the model, which is then ignored until the next search
 * @param ended whether no direction is left
 * @param changedAtMillis processing time at which arbiters received the factors in force
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param trials number of trials started so far
 * @param decidedAtMillis processing time of the last decision; 0: none yet
 * @param trust one a tier, 0..1: the share of the model's predicted gain that trials of this search confirmed; empty:
 *     no trial yet, which counts as 1
 * @param usual the search as it was before the target was missed; empty: the target is not missed, or the search is
 *     again as it was
 * @param lateness cumulative sum that shows whether the target is missed ({@link Relief}), 0 or more
 */
@WithBuilder
public record ReplicatorState(
        long epoch,
        long sequence,
        Factors inForce,
        FactorSearch search,
        List<Integer> toLower,
        Optional<FactorTrial> trial,
        MeasuredFactors baseline,
        Optional<Conditions> smoothed,
        @Initializer(source = List.class, value = "of") List<Double> fanOut,
        Optional<Conditions> reference,
        boolean modelRefuted,
        boolean ended,
        long changedAtMillis,
        long lastWindowMillis,
        long trials,
        long decidedAtMillis,
        @Initializer(source = List.class, value = "of") List<Double> trust,
        Optional<Usual> usual,
        double lateness)
        implements ReplicatorStateBuilder.With {

    /**
     * The state of the search before the target was missed, to which the replicator returns.
     *
     * @param waitMillis how long single copies must keep the bound before a return is tried
     * @param returnAtMillis earliest time of the next return, processing time
     */
    record Usual(
            FactorSearch search,
            MeasuredFactors baseline,
            Optional<Conditions> reference,
            boolean ended,
            long waitMillis,
            long returnAtMillis) {
        Factors factors() {
            return search.current();
        }

        /** This search with a new wait, after single copies did not keep the bound. */
        Usual waiting(long newWaitMillis, long nowMillis) {
            return new Usual(search, baseline, reference, ended, newWaitMillis, nowMillis + newWaitMillis);
        }
    }

    /** The state before any window, with no replication in force. */
    public static ReplicatorState initial(int tiers) {
        return resume(Factors.ones(tiers));
    }

    /** The state before any window, with these factors in force. */
    public static ReplicatorState resume(Factors inForce) {
        return ReplicatorStateBuilder.builder()
                .inForce(inForce)
                .search(FactorSearch.from(inForce))
                .toLower(lowerable(inForce))
                .baseline(MeasuredFactors.NOTHING)
                .build();
    }

    /** Whether a trial is running; other controllers must then hold. */
    public boolean isMoving() {
        return trial.isPresent();
    }

    /** Whether the whole window lies after the time in which the factors in force settle. */
    boolean isSettledIn(ReplicationReading window, TrialPolicy rules) {
        return window.startMillis() >= changedAtMillis + rules.settlingMillis();
    }

    static List<Integer> lowerable(Factors factors) {
        return IntStream.range(0, factors.tiers())
                .filter(tier -> factors.at(tier) > 1)
                .boxed()
                .toList();
    }

    ReplicatorState published(long newEpoch, long newSequence, long nowMillis) {
        return draft().epoch(newEpoch)
                .sequence(newSequence)
                .decidedAtMillis(nowMillis)
                .build();
    }

    /**
     * The state after the last lease ended. Arbiters went back to the proven factors or to no copies; from now on they
     * apply the factors in force again.
     */
    ReplicatorState lapsed(long nowMillis) {
        return withChangedAtMillis(nowMillis);
    }

    ReplicatorState seen(long windowMillis, Conditions newSmoothed, List<Double> newFanOut) {
        return draft().smoothed(Optional.of(newSmoothed))
                .fanOut(newFanOut)
                .lastWindowMillis(windowMillis)
                .build();
    }

    /** Takes the current variability as the reference of later drift. */
    ReplicatorState withReferenceVariability() {
        return draft().reference(reference.map(then -> then.withVariability(smoothed.orElseThrow())))
                .build();
    }

    ReplicatorState withReference(boolean newEnded) {
        return draft().reference(smoothed).ended(newEnded).build();
    }

    /** The state in which the trial continues with new measurements. */
    ReplicatorState withTrial(FactorTrial newTrial) {
        return withTrial(Optional.of(newTrial));
    }

    /** The state in which a trial begins. */
    ReplicatorState trying(FactorTrial newTrial, long nowMillis) {
        return inForce(newTrial.to(), nowMillis)
                .trial(Optional.of(newTrial))
                .ended(false)
                .trials(trials + 1)
                .build();
    }

    /** Ends the trial: the search's factors are in force. */
    ReplicatorState settled(
            FactorSearch newSearch, List<Integer> newToLower, MeasuredFactors newBaseline, long atMillis) {
        Factors factors = newSearch.current();
        return (factors.equals(inForce) ? draft() : inForce(factors, atMillis))
                .search(newSearch)
                .toLower(newToLower)
                .trial(Optional.empty())
                .baseline(newBaseline)
                .ended(false)
                .build();
    }

    /** The state once the target is missed: a new search begins, and the former one is kept to return to it. */
    ReplicatorState missed() {
        return draft().usual(Optional.of(new Usual(search, baseline, reference, ended, 0, 0)))
                .search(FactorSearch.from(inForce))
                .modelRefuted(false)
                .trust(List.of())
                .build();
    }

    /** The state with the search as it was before the target was missed. */
    ReplicatorState returned(Usual to, long atMillis) {
        return settled(to.search(), List.of(), to.baseline(), atMillis)
                .draft()
                .smoothed(smoothed.map(
                        now -> to.reference().map(now::withVariability).orElse(now)))
                .reference(to.reference())
                .ended(to.ended())
                .usual(Optional.empty())
                .lateness(0)
                .build();
    }

    /** The state in which the model is refuted for this search. */
    ReplicatorState withoutModel() {
        return withModelRefuted(true);
    }

    /** Starts the search again from these factors, under new conditions. */
    ReplicatorState restarted(Factors factors, long nowMillis) {
        return settled(FactorSearch.from(factors), lowerable(factors), MeasuredFactors.NOTHING, nowMillis)
                .draft()
                .reference(Optional.empty())
                .modelRefuted(false)
                .trust(List.of())
                .build();
    }

    private ReplicatorStateBuilder draft() {
        return ReplicatorStateBuilder.builder(this);
    }

    /** Puts other factors in force and forgets the variability under the former ones. */
    private ReplicatorStateBuilder inForce(Factors factors, long atMillis) {
        return draft().inForce(factors)
                .smoothed(smoothed.map(Conditions::withoutVariability))
                .lateness(0)
                .changedAtMillis(atMillis);
    }
}
