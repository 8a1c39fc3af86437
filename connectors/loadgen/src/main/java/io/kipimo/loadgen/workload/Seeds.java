package io.kipimo.loadgen.workload;

import java.util.SplittableRandom;

/** Random numbers that are independent for each user, although seeds and users are consecutive. */
public final class Seeds {
    private Seeds() {}

    /** A generator of random numbers for a user and a seed. */
    public static SplittableRandom random(long seed, long user) {
        return new SplittableRandom(mixed(mixed(seed) + user));
    }

    /**
     * Mixes the bits of a number (Stafford's Mix13). Unmixed seeds that differ by a multiple of SplittableRandom's
     * gamma would give one sequence, shifted.
     */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
