package io.kipimo.schemas.budget;

/** What an error budget says. */
public enum BudgetVerdict {
    /** It lasts. */
    FINE,
    /** It is spent before its period ends if this goes on. */
    SLOW_BURN,
    /** It is spent within hours: both windows say so. */
    FAST_BURN,
    /** Nothing is left. */
    EXHAUSTED,
    /** Too few measurements, or too few measurable answers, to tell; not the same as fine. */
    NOT_ENOUGH
}
