package io.kipimo.schemas.quality;

/** Numeric identifiers, each with a score. Immutable. */
public interface ScoredIds {
    int size();

    /**
     * The identifier at a place.
     *
     * @param place 0..size - 1; the order has no meaning
     */
    long id(int place);

    /** The score at a place; finite. */
    float score(int place);
}
