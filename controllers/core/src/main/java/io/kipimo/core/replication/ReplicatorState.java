package io.kipimo.core.replication;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the replicator of one service remembers.
 *
 * @param epoch of the last decision
 * @param sequence of the last decision within the epoch
 * @param inForce factors last published, a trial's included
 * @param search {@code search.current()} are the proven factors
 * @param toLower tiers of which a copy less is still to be tried, first to last
 * @param trial that is running
 * @param baseline measured under the proven factors
 * @param smoothed newest conditions; empty: no window yet
 * @param fanOut requests of each tier for one of the first, without copies; empty: not known yet
 * @param reference conditions that the search began under; empty: not known yet
 * @param modelRefuted whether a trial of this search showed that the model errs: it has no say
 *     until the next search
 * @param ended whether no direction is left
 * @param changedAtMillis when the factors in force last changed, processing time
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param trials started so far
 */
public record ReplicatorState(
        long epoch,
        long sequence,
        Factors inForce,
        FactorSearch search,
        List<Integer> toLower,
        Optional<Trial> trial,
        Measured baseline,
        Optional<Conditions> smoothed,
        List<Double> fanOut,
        Optional<Conditions> reference,
        boolean modelRefuted,
        boolean ended,
        long changedAtMillis,
        long lastWindowMillis,
        long trials) {

    /** Nothing seen, no replication in force. */
    public static ReplicatorState initial(int tiers) {
        return resume(Factors.ones(tiers));
    }

    /** Nothing seen; these factors are in force, as arbiters report. */
    public static ReplicatorState resume(Factors inForce) {
        return new ReplicatorState(
                0,
                0,
                inForce,
                FactorSearch.from(inForce),
                lowerable(inForce),
                Optional.empty(),
                Measured.NOTHING,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                false,
                false,
                0,
                0,
                0);
    }

    /** Whether a trial runs: others must hold their tuning. */
    public boolean isMoving() {
        return trial.isPresent();
    }

    /** Whether a window tells of the factors in force, and of nothing before them. */
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

    ReplicatorState published(long newEpoch, long newSequence) {
        return new ReplicatorState(
                newEpoch,
                newSequence,
                inForce,
                search,
                toLower,
                trial,
                baseline,
                smoothed,
                fanOut,
                reference,
                modelRefuted,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    ReplicatorState seen(long windowMillis, Conditions newSmoothed, List<Double> newFanOut) {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                trial,
                baseline,
                Optional.of(newSmoothed),
                newFanOut,
                reference,
                modelRefuted,
                ended,
                changedAtMillis,
                windowMillis,
                trials);
    }

    ReplicatorState withBaseline(Measured newBaseline) {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                trial,
                newBaseline,
                smoothed,
                fanOut,
                reference,
                modelRefuted,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    /** What was settled long enough is what later conditions are held against. */
    ReplicatorState withReferenceVariability() {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                trial,
                baseline,
                smoothed,
                fanOut,
                reference.map(then -> then.withVariability(smoothed.orElseThrow())),
                modelRefuted,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    ReplicatorState withReference(boolean newEnded) {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                trial,
                baseline,
                smoothed,
                fanOut,
                smoothed,
                modelRefuted,
                newEnded,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    ReplicatorState withSearch(FactorSearch newSearch, List<Integer> newToLower) {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                newSearch,
                newToLower,
                trial,
                baseline,
                smoothed,
                fanOut,
                reference,
                modelRefuted,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    /** A trial goes on. */
    ReplicatorState withTrial(Trial newTrial) {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                Optional.of(newTrial),
                baseline,
                smoothed,
                fanOut,
                reference,
                modelRefuted,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    /** A trial begins. */
    ReplicatorState trying(Trial newTrial, long nowMillis) {
        return new ReplicatorState(
                epoch,
                sequence,
                newTrial.to(),
                search,
                toLower,
                Optional.of(newTrial),
                baseline,
                smoothed.map(Conditions::withoutVariability),
                fanOut,
                reference,
                modelRefuted,
                false,
                nowMillis,
                lastWindowMillis,
                trials + 1);
    }

    /** No trial any more: the search's factors are in force. */
    ReplicatorState settled(
            FactorSearch newSearch, List<Integer> newToLower, Measured newBaseline, long atMillis) {
        boolean changes = !newSearch.current().equals(inForce);
        return new ReplicatorState(
                epoch,
                sequence,
                newSearch.current(),
                newSearch,
                newToLower,
                Optional.empty(),
                newBaseline,
                changes ? smoothed.map(Conditions::withoutVariability) : smoothed,
                fanOut,
                reference,
                modelRefuted,
                false,
                changes ? atMillis : changedAtMillis,
                lastWindowMillis,
                trials);
    }

    /** The model erred in this search. */
    ReplicatorState withoutModel() {
        return new ReplicatorState(
                epoch,
                sequence,
                inForce,
                search,
                toLower,
                trial,
                baseline,
                smoothed,
                fanOut,
                reference,
                true,
                ended,
                changedAtMillis,
                lastWindowMillis,
                trials);
    }

    /** The search starts again from these, under new conditions. */
    ReplicatorState restarted(Factors factors, long nowMillis) {
        ReplicatorState settled =
                settled(
                        FactorSearch.from(factors),
                        lowerable(factors),
                        Measured.NOTHING,
                        nowMillis);
        return new ReplicatorState(
                epoch,
                sequence,
                settled.inForce,
                settled.search,
                settled.toLower,
                settled.trial,
                settled.baseline,
                settled.smoothed,
                fanOut,
                Optional.empty(),
                false,
                false,
                settled.changedAtMillis,
                lastWindowMillis,
                trials);
    }
}
