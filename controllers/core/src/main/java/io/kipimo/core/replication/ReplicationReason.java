package io.kipimo.core.replication;

/** Why factors are what they are; decisions carry the constant's name. */
public enum ReplicationReason {
    /** No window came yet. */
    HELD_NO_INPUT,
    /** A window that cannot be, of another number of tiers or from the future. */
    HELD_IMPOSSIBLE_INPUT,
    /** The newest window is too old to act on. */
    HELD_STALE,
    /** The job works off a backlog: its windows tell of the past. */
    HELD_CATCHING_UP,
    /** Another controller moves this service; a trial would measure that one's effect. */
    HELD_AWAITING_TURN,
    /** After a change, nothing is measured until it has taken effect. */
    SETTLING,
    /** What a trial is compared with is being measured. */
    MEASURING_BASELINE,
    /** One tier has a copy more, or less, to see what it does. */
    TRIAL_STARTED,
    /** The trial is not decided yet. */
    TRIAL_RUNNING,
    /** The trial was better with confidence, or as good with a copy less: it stays. */
    TRIAL_KEPT,
    /** The trial surely gains too little to be worth its copies, or loses. */
    TRIAL_NO_BETTER,
    /** The time of the trial is over, and it was not better with confidence. */
    TRIAL_UNDECIDED,
    /** The trial violated the SLA. */
    ROLLED_BACK_SLA,
    /** The load changed during the trial: what it was compared with no longer holds. */
    ROLLED_BACK_LOAD,
    /** No input during the trial. */
    ROLLED_BACK_STALE,
    /** It became another controller's turn during the trial. */
    ROLLED_BACK_TURN,
    /** The factors in force were no longer feasible. */
    LOWERED_INFEASIBLE,
    /** No direction is left. */
    SEARCH_ENDED,
    /** Nothing to do until load or variability drift. */
    RESTING,
    /** The load drifted: the search starts again. */
    RESTARTED_LOAD,
    /** Some tier's variability drifted: the search starts again. */
    RESTARTED_VARIABILITY,
    /** A person set the factors. */
    OVERRIDE,
    /** A person switched replication off. */
    KILL_SWITCH
}
