package io.kipimo.loadgen.workload;

import java.util.SplittableRandom;

/** Independent random numbers for each user, although seeds and users are consecutive. */
public final class Seeds {
    private Seeds() {}

    /** One generator for each user and seed. */
    public static SplittableRandom random(long seed, long user) {
        return new SplittableRandom(mixed(mixed(seed) + user));
    }

    /** Stafford's Mix13. Seeds a multiple of SplittableRandom's gamma apart would give one sequence, shifted. */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
