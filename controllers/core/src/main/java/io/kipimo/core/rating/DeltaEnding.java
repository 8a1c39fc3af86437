package io.kipimo.core.rating;

/** Reason why an analysis ended. */
public enum DeltaEnding {
    /** Figures are permanent at every load up to one that saturates a resource. */
    SATURATED("permanent up to saturation"),
    /** More load made no resource busier, so the target's limit is not among the resources. */
    NOTHING_BUSIER("permanent; more load makes no resource busier"),
    /** The highest load allowed saturates no resource. */
    HIGHEST_LOAD("permanent up to the highest load allowed"),
    /** Even the longest probes disagreed; the result is their length. */
    NOT_PERMANENT("figures still change in the longest probes");

    private final String text;

    DeltaEnding(String text) {
        this.text = text;
    }

    /** Text for users. */
    public String text() {
        return text;
    }
}
