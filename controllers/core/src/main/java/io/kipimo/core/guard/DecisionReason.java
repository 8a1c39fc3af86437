package io.kipimo.core.guard;

import java.util.Optional;
import java.util.stream.Stream;

/** The reason of a decision, which carries the constant's name. The sentence of each constant is its documentation. */
public enum DecisionReason {
    OPENED(false, "Even the low end of quality is above its objective: more is admitted."),
    SHUT(false, "Quality is below its objective: less is admitted."),
    SHEDDING_DOES_NOT_HELP(
            false,
            "Quality is below its objective, but less load does not raise it: a component answers nothing, or half of"
                    + " the load was shed in vain. Nothing is shed for this, and what was is admitted again."),
    START_OVERLOADED(
            false,
            "Too many answers lack a component, and it is not known yet what that costs: the safe"
                    + " fraction until it is measured."),
    AT_CEILING(false, "Quality allows more, but everything is admitted already."),
    AT_FLOOR(false, "Quality asks for less, but every class is at its floor already."),
    NOT_ITS_TURN(false, "The loop moved; another class is shed or opened before this one."),
    PROTECTED(false, "The highest class is never shed."),
    FIRST_WINDOW(false, "First measurement after a start or a break: only a reference for the next one."),
    UNCHANGED(false, "The controller computed the value in force again, or nearly: it moves by a point or more."),
    RENEWED(false, "Nothing new since the last step; the lease is renewed."),
    WITHIN_DEAD_BAND(false, "Quality is too close to its objective to act on."),
    HELD_INTERVAL_TOO_WIDE(
            false, "The mean is at or above the objective, but the interval's low end is below it: no move."),
    HELD_NOT_SHOWN(
            false,
            "Quality may be below its objective, but neither the interval's upper end nor the"
                    + " time-outs show it: nothing is shed on that."),
    HELD_NOT_KNOWN(
            true, "The quality of more than half of the measured queries is not known: nothing is shed on that."),
    HELD_RECOVERING(false, "Quality is below its objective, but it rises fast enough without further shedding."),
    HELD_ABOVE_OBJECTIVE(false, "Quality falls, but its mean is still at or above the objective."),
    HELD_AWAITING_EFFECT(
            false, "What the last moves did is not known yet: the newest step began before them, or it may be chance."),
    HELD_AWAITING_TURN(false, "Another controller runs a trial on this service: nothing opens until it ends."),
    HELD_DISAGREEING(false, "The newest step and the average lie on different sides of the objective."),
    HELD_EXPIRED(
            false,
            "More queries than usual ended without their mature result, or were not measurable:"
                    + " nothing opens on such figures."),
    HELD_PARTLY_MEASURABLE(
            false, "Quality is above its objective only if the unmeasurable answers are good: nothing opens on that."),
    HELD_NOT_MEASURABLE(true, "More than half of the answers are not measurable."),
    HELD_TOO_FEW_SAMPLES(true, "Fewer measurements than the policy requires."),
    HELD_IDLE(
            true,
            "Hardly any query of the highest class arrives, so nothing shows a reason to shed: no less than before is "
                    + "admitted, and in the long run no less than the safe fraction."),
    HELD_RATE_TOO_LOW(true, "Fewer answers a second than the policy requires."),
    HELD_WINDOW_NOT_FULL(true, "The averaging window reaches back to before the input began."),
    HELD_NO_ESTIMATE(true, "No estimate in the window."),
    HELD_IMPOSSIBLE_INPUT(true, "A figure of the window is out of range."),
    HELD_IMPOSSIBLE_VALUE(true, "The controller computed a value that is not finite."),
    HELD_IMPOSSIBLE_POLICY(true, "A figure of the policy is out of range; nothing is decided until it is corrected."),
    HELD_NO_INPUT(true, "No window has arrived yet."),
    HELD_STALE(true, "The last usable measurement is too old."),
    HELD_CATCHING_UP(true, "The job works off a backlog, or a clock is slow: its windows are old."),
    SAFE_FALLBACK(true, "No usable measurement for so long that the class goes to its safe fraction."),
    BOUNDED(false, "The bounds of the class changed under the value in force."),
    OVERRIDE(false, "A person set this class."),
    KILL_SWITCH(false, "A person set every class to its safe fraction."),
    NO_CONTROL(false, "The policy asks for no control: everything is admitted."),
    INTERVAL_WIDENED(false, "The interval is wider than wanted: more queries are sampled."),
    INTERVAL_NARROW_ENOUGH(false, "The interval is narrower than needed: fewer queries are sampled."),
    BUDGET_SPENT(false, "The service is short of capacity: only the samples that controllers need are taken."),
    EXTRA_LOAD(
            false,
            "Late work for measuring is at its budget: fewer queries are sampled, and those with a"
                    + " time-out come first."),
    FIXED_RATE(false, "The policy fixes the rate.");

    private final boolean blind;
    private final String sentence;

    DecisionReason(boolean blind, String sentence) {
        this.blind = blind;
        this.sentence = sentence;
    }

    /** Returns the constant with this name; empty if a later version has named it. */
    public static Optional<DecisionReason> named(String name) {
        return Stream.of(values()).filter(r -> r.name().equals(name)).findFirst();
    }

    /** Explanation for people. */
    public String sentence() {
        return sentence;
    }

    /**
     * Whether a decision with this reason had no usable measurement. After a long time without one the safe value
     * applies.
     */
    public boolean isBlind() {
        return blind;
    }
}
