package io.kipimo.core.replication;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reasons of decisions on factors. A decision carries the name of the constant; the sentence of a constant is its
 * documentation.
 */
public enum ReplicationReason {
    HELD_NO_INPUT("No window has arrived yet."),
    HELD_IMPOSSIBLE_INPUT("The window has another number of tiers or is from the future."),
    HELD_STALE("The newest window is too old to act on."),
    HELD_CATCHING_UP("The job works off a backlog: its windows are old."),
    HELD_AWAITING_TURN("Another controller moves this service, so a trial would measure that one's effect."),
    SETTLING("After a change, nothing is measured until it has taken effect."),
    MEASURING_BASELINE("The baseline of the next trial is being measured."),
    TRIAL_STARTED("A trial of other factors began."),
    TRIAL_RUNNING("The trial is not decided yet."),
    TRIAL_KEPT("The trial was better with confidence, or as good with a copy less: its factors stay."),
    TRIAL_NO_BETTER("The trial loses, or gains less than its copies are worth, with confidence."),
    TRIAL_UNDECIDED("The time of the trial is over, and it was not better with confidence."),
    ROLLED_BACK_SLA("The trial violated the SLA."),
    ROLLED_BACK_LOAD("The load changed during the trial, so its baseline no longer holds."),
    ROLLED_BACK_STALE("No input during the trial."),
    ROLLED_BACK_TURN("Another controller took the actuation lock during the trial."),
    LOWERED_INFEASIBLE("The factors in force were no longer feasible."),
    SEARCH_ENDED("No direction is left: a copy more gains too little or breaks what is listed."),
    COPIES_DO_NOT_HELP(
            "The target is missed, and a copy more does not bring it back or breaks what is listed: none is sent for"
                    + " this."),
    RESTING("The search has ended; the next begins when load or variability drift."),
    RESTARTED_LOAD("The load drifted: the search starts again."),
    RESTARTED_VARIABILITY("Some tier's variability drifted: the search starts again."),
    OVERRIDE("A person set the factors."),
    KILL_SWITCH("A person switched replication off.");

    private final String sentence;

    ReplicationReason(String sentence) {
        this.sentence = sentence;
    }

    /** The constant of a name; empty for a name of a later version. */
    public static Optional<ReplicationReason> named(String name) {
        return Stream.of(values()).filter(r -> r.name().equals(name)).findFirst();
    }

    /** Explanation for people. */
    public String sentence() {
        return sentence;
    }
}
