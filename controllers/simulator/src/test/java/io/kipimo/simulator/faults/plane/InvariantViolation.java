package io.kipimo.simulator.faults.plane;

/**
 * A violated invariant.
 *
 * @param seed that replays it
 * @param seconds of virtual time
 */
record InvariantViolation(long seed, double seconds, String invariant) {
    @Override
    public String toString() {
        return "seed " + seed + " at " + seconds + " s: " + invariant;
    }
}
