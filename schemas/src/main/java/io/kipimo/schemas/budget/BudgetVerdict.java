package io.kipimo.schemas.budget;

/** State of an error budget. */
public enum BudgetVerdict {
    /** The budget lasts for its period. */
    FINE,
    /** At the present rate, the budget is spent before its period ends. */
    SLOW_BURN,
    /** At the present rate, the budget is spent within hours; the short and the long window confirm it. */
    FAST_BURN,
    /** The budget is spent. */
    EXHAUSTED,
    /** Unknown: too few measurements, or too few measurable answers. This is not the same as fine. */
    NOT_ENOUGH
}
