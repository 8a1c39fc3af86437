package io.kipimo.schemas.rating;

/** Algorithm that chooses the loads to try. */
public enum RatingTechnique {
    GOLDEN,
    APPROXIMATE,
    ADAPTIVE,
    /** Every load from the lowest to the first that fails, as a baseline. */
    SWEEP,
    /** Without generated load: the load is the percentage of real traffic that one server gets. */
    SQUEEZE
}
