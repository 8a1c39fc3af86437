package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Replication factors r = (r1 .. rN): how many servers of tier i get a copy of each request of that tier. Tiers are
 * counted from 0 here, from 1 in the paper.
 *
 * @param values one a tier, each at least 1
 */
public record Factors(List<Integer> values) {
    public Factors {
        values = List.copyOf(values);
        if (values.isEmpty() || values.stream().anyMatch(value -> value < 1)) {
            throw new IllegalArgumentException("factors are " + values + "; allowed: one a tier, each >= 1");
        }
    }

    public static Factors of(int... values) {
        return new Factors(IntStream.of(values).boxed().toList());
    }

    /** The factors of no replication: 1 in every tier. */
    public static Factors ones(int tiers) {
        return new Factors(Collections.nCopies(tiers, 1));
    }

    public int tiers() {
        return values.size();
    }

    public int at(int tier) {
        return values.get(tier);
    }

    /** These factors with one tier changed by {@code step}. */
    public Factors moved(int tier, int step) {
        List<Integer> moved = new ArrayList<>(values);
        moved.set(tier, values.get(tier) + step);
        return new Factors(moved);
    }

    /** Sum of the factors. */
    public int copies() {
        return values.stream().mapToInt(Integer::intValue).sum();
    }

    public boolean isOnes() {
        return values.stream().allMatch(value -> value == 1);
    }

    /**
     * Requests to tier {@code to} per request to tier {@code from}: the product of the factors of the tiers from
     * {@code from} to before {@code to} (a of sPARE's proposition 2).
     */
    public double amplification(int from, int to) {
        double product = 1;
        for (int tier = from; tier < to; tier++) {
            product *= values.get(tier);
        }
        return product;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
