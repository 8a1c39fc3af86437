package io.kipimo.schemas.policy;

/** Signal that an admission controller steers. */
public enum Signal {
    /** The stratified answer quality. */
    QUALITY,
    /** One minus the share of queries with a timed-out component. */
    TIME_OUTS,
    /** Share of time-outs times the learned loss per time-out, corrected by the exact quality. */
    CASCADE
}
