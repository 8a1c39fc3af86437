package io.kipimo.core.replication;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why factors are what they are; decisions carry the constant's name. Constants are documented by
 * their sentence.
 */
public enum ReplicationReason {
    HELD_NO_INPUT("No window came yet."),
    HELD_IMPOSSIBLE_INPUT(
            "A window that cannot be, of another number of tiers or from the future."),
    HELD_STALE("The newest window is too old to act on."),
    HELD_CATCHING_UP("The job works off a backlog: its windows tell of the past."),
    HELD_AWAITING_TURN(
            "Another controller moves this service; a trial would measure that one's effect."),
    SETTLING("After a change, nothing is measured until it has taken effect."),
    MEASURING_BASELINE("What a trial is compared with is being measured."),
    TRIAL_STARTED("One tier has a copy more, or less, to see what it does."),
    TRIAL_RUNNING("The trial is not decided yet."),
    TRIAL_KEPT("The trial was better with confidence, or as good with a copy less: it stays."),
    TRIAL_NO_BETTER("The trial surely gains too little to be worth its copies, or loses."),
    TRIAL_UNDECIDED("The time of the trial is over, and it was not better with confidence."),
    ROLLED_BACK_SLA("The trial violated the SLA."),
    ROLLED_BACK_LOAD(
            "The load changed during the trial: what it was compared with no longer holds."),
    ROLLED_BACK_STALE("No input during the trial."),
    ROLLED_BACK_TURN("It became another controller's turn during the trial."),
    LOWERED_INFEASIBLE("The factors in force were no longer feasible."),
    SEARCH_ENDED("No direction is left."),
    RESTING("Nothing to do until load or variability drift."),
    RESTARTED_LOAD("The load drifted: the search starts again."),
    RESTARTED_VARIABILITY("Some tier's variability drifted: the search starts again."),
    OVERRIDE("A person set the factors."),
    KILL_SWITCH("A person switched replication off.");

    private final String sentence;

    ReplicationReason(String sentence) {
        this.sentence = sentence;
    }

    /** The constant of this name; empty if there is none, as from a later version. */
    public static Optional<ReplicationReason> named(String name) {
        return Stream.of(values()).filter(r -> r.name().equals(name)).findFirst();
    }

    /** What it means, for people. */
    public String sentence() {
        return sentence;
    }
}
