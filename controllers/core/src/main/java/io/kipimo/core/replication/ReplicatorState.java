package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * State of the replicator of one service.
 *
 * @param epoch of the last decision
 * @param sequence of the last decision within the epoch
 * @param inForce factors last published, a trial's included
 * @param search {@code search.current()} are the proven factors
 * @param toLower tiers of which a copy less is still to be tried, first to last
 * @param trial the running trial
 * @param baseline measured under the proven factors
 * @param smoothed newest conditions; empty: no window yet
 * @param fanOut requests to each tier per request to the first, without copies; empty: not known
 *     yet
 * @param reference conditions at the start of the search; empty: not known yet
 * @param modelRefuted whether a trial of this search refuted the model, which is then ignored until
 *     the next search
 * @param ended whether no direction is left
 * @param changedAtMillis when arbiters received the factors in force, processing time
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param trials started so far
 * @param decidedAtMillis processing time of the last decision; 0: none yet
 * @param trust one a tier, 0..1: the share of the model's predicted gain that trials of this search
 *     confirmed; empty: no trial yet, which counts as 1
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
        @Initializer(source = List.class, value = "of") List<Double> trust) {

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

    /** Whether the whole window lies under the factors in force, after settling. */
    boolean isSettledIn(ReplicationReading window, TrialRules rules) {
        return window.startMillis() >= changedAtMillis + rules.settlingMillis();
    }

    /** A form that {@link #fromBytes} reads. */
    public byte[] toBytes() {
        return ReplicatorStateCodec.write(this);
    }

    /**
     * Reads what {@link #toBytes} wrote.
     *
     * @throws IllegalArgumentException if the bytes are no such state, or of another version
     */
    public static ReplicatorState fromBytes(byte[] bytes) {
        return ReplicatorStateCodec.read(bytes);
    }

    static List<Integer> lowerable(Factors factors) {
        return IntStream.range(0, factors.tiers())
                .filter(tier -> factors.at(tier) > 1)
                .boxed()
                .toList();
    }

    ReplicatorState published(long newEpoch, long newSequence, long nowMillis) {
        return with(
                draft -> {
                    draft.epoch = newEpoch;
                    draft.sequence = newSequence;
                    draft.decidedAtMillis = nowMillis;
                });
    }

    /**
     * The last lease ended, so arbiters went back to the proven factors or to none. From now on
     * they apply those in force again.
     */
    ReplicatorState lapsed(long nowMillis) {
        return with(draft -> draft.changedAtMillis = nowMillis);
    }

    ReplicatorState seen(long windowMillis, Conditions newSmoothed, List<Double> newFanOut) {
        return with(
                draft -> {
                    draft.smoothed = Optional.of(newSmoothed);
                    draft.fanOut = newFanOut;
                    draft.lastWindowMillis = windowMillis;
                });
    }

    ReplicatorState withBaseline(MeasuredFactors newBaseline) {
        return with(draft -> draft.baseline = newBaseline);
    }

    /** Takes the current variability as the reference of later drift. */
    ReplicatorState withReferenceVariability() {
        return with(
                draft ->
                        draft.reference =
                                reference.map(
                                        then -> then.withVariability(smoothed.orElseThrow())));
    }

    ReplicatorState withReference(boolean newEnded) {
        return with(
                draft -> {
                    draft.reference = smoothed;
                    draft.ended = newEnded;
                });
    }

    ReplicatorState withToLower(List<Integer> newToLower) {
        return with(draft -> draft.toLower = newToLower);
    }

    /** A trial continues with new measurements. */
    ReplicatorState withTrial(FactorTrial newTrial) {
        return with(draft -> draft.trial = Optional.of(newTrial));
    }

    /** A trial begins. */
    ReplicatorState trying(FactorTrial newTrial, long nowMillis) {
        return with(
                draft -> {
                    draft.trial = Optional.of(newTrial);
                    draft.ended = false;
                    draft.trials++;
                    draft.putInForce(newTrial.to(), nowMillis);
                });
    }

    /** Ends the trial: the search's factors are in force. */
    ReplicatorState settled(
            FactorSearch newSearch,
            List<Integer> newToLower,
            MeasuredFactors newBaseline,
            long atMillis) {
        return with(
                draft -> {
                    draft.search = newSearch;
                    draft.toLower = newToLower;
                    draft.trial = Optional.empty();
                    draft.baseline = newBaseline;
                    draft.ended = false;
                    if (!newSearch.current().equals(inForce)) {
                        draft.putInForce(newSearch.current(), atMillis);
                    }
                });
    }

    /** The model is refuted for this search. */
    ReplicatorState withoutModel() {
        return with(draft -> draft.modelRefuted = true);
    }

    /** The trust in the model after a trial. */
    ReplicatorState withTrust(List<Double> newTrust) {
        return with(draft -> draft.trust = newTrust);
    }

    /** Starts the search again from these factors, under new conditions. */
    ReplicatorState restarted(Factors factors, long nowMillis) {
        return settled(
                        FactorSearch.from(factors),
                        lowerable(factors),
                        MeasuredFactors.NOTHING,
                        nowMillis)
                .with(
                        draft -> {
                            draft.reference = Optional.empty();
                            draft.modelRefuted = false;
                            draft.trust = List.of();
                        });
    }

    private ReplicatorState with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.state();
    }

    /** The next state under construction. */
    private static final class Draft {
        long epoch;
        long sequence;
        Factors inForce;
        FactorSearch search;
        List<Integer> toLower;
        Optional<FactorTrial> trial;
        MeasuredFactors baseline;
        Optional<Conditions> smoothed;
        List<Double> fanOut;
        Optional<Conditions> reference;
        boolean modelRefuted;
        boolean ended;
        long changedAtMillis;
        long lastWindowMillis;
        long trials;
        long decidedAtMillis;
        List<Double> trust;

        Draft(ReplicatorState state) {
            epoch = state.epoch;
            sequence = state.sequence;
            inForce = state.inForce;
            search = state.search;
            toLower = state.toLower;
            trial = state.trial;
            baseline = state.baseline;
            smoothed = state.smoothed;
            fanOut = state.fanOut;
            reference = state.reference;
            modelRefuted = state.modelRefuted;
            ended = state.ended;
            changedAtMillis = state.changedAtMillis;
            lastWindowMillis = state.lastWindowMillis;
            trials = state.trials;
            decidedAtMillis = state.decidedAtMillis;
            trust = state.trust;
        }

        /** Puts other factors in force and forgets the variability under the former ones. */
        void putInForce(Factors factors, long atMillis) {
            inForce = factors;
            smoothed = smoothed.map(Conditions::withoutVariability);
            changedAtMillis = atMillis;
        }

        ReplicatorState state() {
            return ReplicatorStateBuilder.builder()
                    .epoch(epoch)
                    .sequence(sequence)
                    .inForce(inForce)
                    .search(search)
                    .toLower(toLower)
                    .trial(trial)
                    .baseline(baseline)
                    .smoothed(smoothed)
                    .fanOut(fanOut)
                    .reference(reference)
                    .modelRefuted(modelRefuted)
                    .ended(ended)
                    .changedAtMillis(changedAtMillis)
                    .lastWindowMillis(lastWindowMillis)
                    .trials(trials)
                    .decidedAtMillis(decidedAtMillis)
                    .trust(trust)
                    .build();
        }
    }
}
