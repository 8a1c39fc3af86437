package io.kipimo.core.rating.delta;

/** How an analysis ended. */
public enum DeltaEnding {
    /** Figures are permanent at every load up to one that saturates a resource. */
    SATURATED("permanent up to saturation"),
    /** More load made nothing busier: whatever limits the target is not among the resources. */
    NOTHING_BUSIER("permanent; more load makes no resource busier"),
    /** The highest load allowed saturates nothing. */
    HIGHEST_LOAD("permanent up to the highest load allowed"),
    /** Not even the longest probes agreed; their length is reported. */
    NOT_PERMANENT("figures still change in the longest probes");

    private final String text;

    DeltaEnding(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
