package io.kipimo.core.guard;

/** Why a controller's value is what it is; decisions carry the constant's name. */
public enum Reason {
    /** Quality is surely above its objective: more is admitted. */
    OPENED(false),
    /** Quality is below its objective: less is admitted. */
    SHUT(false),
    /** More would be admitted, but everything is admitted already. */
    AT_CEILING(false),
    /** Less would be admitted, but every class is at its floor already. */
    AT_FLOOR(false),
    /** The loop moved; another class is shed or opened before this one. */
    NOT_ITS_TURN(false),
    /** The highest class is never shed. */
    PROTECTED(false),
    /** First measurement after a start or a break: the reference of the next one, no move. */
    FIRST_WINDOW(false),
    /** The controller computed the value in force again. */
    UNCHANGED(false),
    /** Nothing new since the last step; the lease is renewed. */
    RENEWED(false),
    /** Quality is too close to its objective to act on. */
    WITHIN_DEAD_BAND(false),
    /** The mean is at or above the objective, the interval's low end is not: neither way. */
    HELD_INTERVAL_TOO_WIDE(false),
    /** Quality is below its objective, but rises fast enough without shutting further. */
    HELD_RECOVERING(false),
    /** Quality falls, but its mean is still at or above the objective. */
    HELD_ABOVE_OBJECTIVE(false),
    /** The newest step began before the last move: too early to tell what it did. */
    HELD_AWAITING_EFFECT(false),
    /** The newest step and the average lie on different sides of the objective. */
    HELD_DISAGREEING(false),
    /** More queries than usual ended without their mature result: no opening on such figures. */
    HELD_EXPIRED(false),
    /** Fewer measurements than the policy asks for. */
    HELD_TOO_FEW_SAMPLES(true),
    /** Fewer answers a second than the policy asks for. */
    HELD_RATE_TOO_LOW(true),
    /** The averaging window reaches back to before the input began. */
    HELD_WINDOW_NOT_FULL(true),
    /** No estimate in the window. */
    HELD_NO_ESTIMATE(true),
    /** A figure of the window cannot be. */
    HELD_IMPOSSIBLE_INPUT(true),
    /** The controller computed something that is no value. */
    HELD_IMPOSSIBLE_VALUE(true),
    /** A figure of the policy cannot be; nothing is decided until it is corrected. */
    HELD_IMPOSSIBLE_POLICY(true),
    /** No window came yet. */
    HELD_NO_INPUT(true),
    /** The last usable measurement is too old. */
    HELD_STALE(true),
    /** The job works off a backlog: its windows tell of the past. */
    HELD_CATCHING_UP(true),
    /** No usable measurement for so long that the class's safe fraction is approached. */
    SAFE_FALLBACK(true),
    /** The bounds of the class changed under the value in force. */
    BOUNDED(false),
    /** A person set this class. */
    OVERRIDE(false),
    /** A person set every class to its safe fraction. */
    KILL_SWITCH(false),
    /** The policy asks for no control: everything is admitted. */
    NO_CONTROL(false),
    /** The interval is wider than wanted: more queries are sampled. */
    INTERVAL_WIDENED(false),
    /** The interval is narrower than needed: fewer queries are sampled. */
    INTERVAL_NARROW_ENOUGH(false),
    /** Measuring gives way to load: only what the controllers need is sampled. */
    BUDGET_SPENT(false),
    /** The policy fixes the rate. */
    FIXED_RATE(false);

    private final boolean blind;

    Reason(boolean blind) {
        this.blind = blind;
    }

    /** Whether there was no measurement to act on; long enough so, and the safe value is due. */
    public boolean isBlind() {
        return blind;
    }
}
