package io.kipimo.core.replication;

/** Constraints of feasible factors; each text states how factors break it. */
public enum Constraint {
    /** A factor is above the number of the tier's servers. */
    SERVERS,
    /** A factor is above the bound that a person set for the tier. */
    MAXIMUM_FACTOR,
    /** Copies would collide at a later tier more often than allowed (formula 2). */
    COLLISIONS,
    /** The servers of a tier would not keep up (formula 3). */
    SERVER_CAPACITY,
    /** The tokens of a tier would not keep up (formula 4). */
    TOKEN_CAPACITY,
    /** Copies would add more work than the extra-load budget has. */
    EXTRA_LOAD;

    /** Whether this constraint depends only on the factor of the tier where it is broken. */
    boolean isOfOneTier() {
        return this == SERVERS || this == MAXIMUM_FACTOR;
    }
}
