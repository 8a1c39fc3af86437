package io.kipimo.schemas.policy;

/** Signal that an admission controller steers. */
public enum Signal {
    /** The estimated mean answer quality. */
    QUALITY,
    /** One minus the share of measurable answers that left without some component. */
    TIME_OUTS,
    /**
     * One minus the share of time-outs times the learned loss per time-out. The measured quality corrects its set
     * point.
     */
    CASCADE
}
