package io.kipimo.loadgen.workload;

/**
 * One generator's part of a load. It has the users index, index + of, index + 2 of, and so on, so no two generators
 * play the same user.
 *
 * @param index 0..of - 1
 * @param of generators that share the load, 1 or more
 */
public record Share(int index, int of) {
    /** The share of a single generator, which has the whole load. */
    public static final Share WHOLE = new Share(0, 1);

    public Share {
        if (of < 1) {
            throw new IllegalArgumentException("of is " + of + "; allowed: 1 or more");
        }
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("index is " + index + "; allowed: 0.." + (of - 1));
        }
    }

    /** Number of the user that is the generator's {@code nth}, from 0. */
    public long user(long nth) {
        return index + nth * of;
    }

    /** The part of {@code whole} for this share. The parts of all shares add up to {@code whole}. */
    public long of(long whole) {
        return whole / of + (index < whole % of ? 1 : 0);
    }
}
