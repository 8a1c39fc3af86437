package io.kipimo.schemas.policy;

/** What an admission controller runs on. */
public enum Signal {
    /** The stratified answer quality. */
    QUALITY,
    /** One minus the share of queries with a timed-out component. */
    TIME_OUTS,
    /** Time-outs times the learned loss a time-out, corrected by the exact quality. */
    CASCADE
}
