package io.kipimo.schemas.rating;

/** How far a rating is, or how it ended. */
public enum RatingState {
    REQUESTED("requested"),
    RUNNING("running"),
    FOUND("found"),
    /** The highest load allowed still passes. */
    AT_LEAST("still passes at the highest load allowed: at least this much"),
    /** Not even the lowest load passes. */
    NONE("the lowest load already breaks the agreement"),
    /** Experiments were used up. */
    UNSETTLED("not settled within the experiments allowed: the best so far"),
    GENERATORS_TOO_WEAK("the load generator was the bottleneck: not a rating of the target"),
    TOO_NOISY("readings are too noisy to decide"),
    CANCELLED("cancelled"),
    /** It was found, but mix, capacity or variability have drifted since. */
    STALE("found once, but the service has changed since");

    private final String text;

    RatingState(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** Whether nothing more will come of it. */
    public boolean isOver() {
        return this != REQUESTED && this != RUNNING;
    }
}
