package io.kipimo.schemas.rating;

/** State of a rating. */
public enum RatingState {
    REQUESTED("requested"),
    RUNNING("running"),
    FOUND("found"),
    /** The highest load allowed still passes. */
    AT_LEAST("still passes at the highest load allowed: at least this much"),
    /** The lowest load does not pass. */
    NONE("the lowest load already breaks the agreement"),
    /** The rating used all its experiments. */
    UNSETTLED("not settled within the experiments allowed: the best so far"),
    GENERATORS_TOO_WEAK("the load generator was the bottleneck: not a rating of the target"),
    TOO_NOISY("readings are too noisy to decide"),
    CANCELLED("cancelled"),
    /** The rating was found, but mix, capacity or variability have drifted since. */
    STALE("found once, but the service has changed since");

    private final String text;

    RatingState(String text) {
        this.text = text;
    }

    /** Description for people. */
    public String text() {
        return text;
    }

    /** Whether the rating has ended. */
    public boolean isOver() {
        return this != REQUESTED && this != RUNNING;
    }
}
