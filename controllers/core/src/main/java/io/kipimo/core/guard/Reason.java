package io.kipimo.core.guard;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a controller's value is what it is; decisions carry the constant's name. Constants are
 * documented by their sentence.
 */
public enum Reason {
    OPENED(false, "Quality is surely above its objective: more is admitted."),
    SHUT(false, "Quality is below its objective: less is admitted."),
    AT_CEILING(false, "More would be admitted, but everything is admitted already."),
    AT_FLOOR(false, "Less would be admitted, but every class is at its floor already."),
    NOT_ITS_TURN(false, "The loop moved; another class is shed or opened before this one."),
    PROTECTED(false, "The highest class is never shed."),
    FIRST_WINDOW(
            false,
            "First measurement after a start or a break: the reference of the next one, no move."),
    UNCHANGED(false, "The controller computed the value in force again."),
    RENEWED(false, "Nothing new since the last step; the lease is renewed."),
    WITHIN_DEAD_BAND(false, "Quality is too close to its objective to act on."),
    HELD_INTERVAL_TOO_WIDE(
            false,
            "The mean is at or above the objective, the interval's low end is not: neither way."),
    HELD_RECOVERING(
            false,
            "Quality is below its objective, but rises fast enough without shutting further."),
    HELD_ABOVE_OBJECTIVE(false, "Quality falls, but its mean is still at or above the objective."),
    HELD_AWAITING_EFFECT(
            false, "The newest step began before the last move: too early to tell what it did."),
    HELD_AWAITING_TURN(
            false,
            "Another controller tries something on this service: nothing opens until it is done."),
    HELD_DISAGREEING(
            false, "The newest step and the average lie on different sides of the objective."),
    HELD_EXPIRED(
            false,
            "More queries than usual ended without their mature result, or were not measurable: no"
                    + " opening on such figures."),
    HELD_PARTLY_MEASURABLE(
            false,
            "Quality is surely above its objective only if the answers that nobody can measure are"
                    + " good: no opening on that."),
    HELD_NOT_MEASURABLE(true, "Nobody can measure more than half of the answers."),
    HELD_TOO_FEW_SAMPLES(true, "Fewer measurements than the policy asks for."),
    HELD_RATE_TOO_LOW(true, "Fewer answers a second than the policy asks for."),
    HELD_WINDOW_NOT_FULL(true, "The averaging window reaches back to before the input began."),
    HELD_NO_ESTIMATE(true, "No estimate in the window."),
    HELD_IMPOSSIBLE_INPUT(true, "A figure of the window cannot be."),
    HELD_IMPOSSIBLE_VALUE(true, "The controller computed something that is no value."),
    HELD_IMPOSSIBLE_POLICY(
            true, "A figure of the policy cannot be; nothing is decided until it is corrected."),
    HELD_NO_INPUT(true, "No window came yet."),
    HELD_STALE(true, "The last usable measurement is too old."),
    HELD_CATCHING_UP(true, "The job works off a backlog: its windows tell of the past."),
    SAFE_FALLBACK(
            true,
            "No usable measurement for so long that the class's safe fraction is approached."),
    BOUNDED(false, "The bounds of the class changed under the value in force."),
    OVERRIDE(false, "A person set this class."),
    KILL_SWITCH(false, "A person set every class to its safe fraction."),
    NO_CONTROL(false, "The policy asks for no control: everything is admitted."),
    INTERVAL_WIDENED(false, "The interval is wider than wanted: more queries are sampled."),
    INTERVAL_NARROW_ENOUGH(
            false, "The interval is narrower than needed: fewer queries are sampled."),
    BUDGET_SPENT(false, "Measuring gives way to load: only what the controllers need is sampled."),
    EXTRA_LOAD(
            false,
            "Late work kept alive for measuring is at its budget: fewer queries are sampled, and"
                    + " what is sent goes to those with a time-out first."),
    FIXED_RATE(false, "The policy fixes the rate.");

    private final boolean blind;
    private final String sentence;

    Reason(boolean blind, String sentence) {
        this.blind = blind;
        this.sentence = sentence;
    }

    /** The constant of this name; empty if there is none, as from a later version. */
    public static Optional<Reason> named(String name) {
        return Stream.of(values()).filter(r -> r.name().equals(name)).findFirst();
    }

    /** What it means, for people. */
    public String sentence() {
        return sentence;
    }

    /** Whether there was no measurement to act on; long enough so, and the safe value is due. */
    public boolean isBlind() {
        return blind;
    }
}
