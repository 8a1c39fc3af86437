package io.kipimo.schemas.quality;

/** Method by which a window's quality was estimated. */
public enum Estimator {
    /** By the learned cost of each missing component, corrected by samples. */
    MODEL_ASSISTED,
    /**
     * By the sampled cost of a time-out, because front ends do not report which components their degraded answers
     * lacked.
     */
    STRATIFIED_NOT_COUNTED,
    /**
     * By the sampled cost of a time-out, because there are too few degraded samples to learn the costs of components.
     */
    STRATIFIED_FEW_SAMPLES
}
