package io.kipimo.schemas.rating;

/** How the loads to try are chosen. */
public enum RatingTechnique {
    GOLDEN,
    APPROXIMATE,
    ADAPTIVE,
    /** Every load from the lowest to the first that fails: to compare with. */
    SWEEP,
    /** No load is generated: loads are percent of the real traffic that one server is given. */
    SQUEEZE
}
