package io.kipimo.core.quality.merge;

import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The Shapley value: a player's marginal contribution to a coalition, averaged over all orders in which the players may
 * join. The values of all players sum to {@code v(all) - v(none)}, within rounding.
 *
 * <p>Up to {@value #EXACT_PLAYERS} players, the values are exact: each of the 2^n coalitions is evaluated once. With
 * more players, they are means over {@value #SAMPLED_ORDERS} random orders. Every second order reverses the one before
 * it (antithetic sampling; Castro, Gómez and Tejada, 2009, use independent orders). Each order distributes all of
 * {@code v(all) - v(none)}, so the sum stays exact. A player that never contributes gets 0.
 *
 * <p>{@link #ofItems} has a closed form for games that are sums over items.
 */
public final class Shapley {
    /** Limit of players whose values are exact. */
    public static final int EXACT_PLAYERS = 8;

    /** Limit of players; a positive long has one bit for each. */
    public static final int MAXIMUM_PLAYERS = 63;

    private static final int SAMPLED_ORDERS = 64;

    /** Computes the worth of a coalition; pure. */
    @FunctionalInterface
    public interface CoalitionValue {
        /**
         * Worth of these players together.
         *
         * @param coalitionMask bit i is set if player i is in
         */
        double of(long coalitionMask);
    }

    private Shapley() {}

    /**
     * The value of each player, in the unit of {@code value}.
     *
     * @param players 0..{@value #MAXIMUM_PLAYERS}
     * @param random used above {@value #EXACT_PLAYERS} players only
     * @throws IllegalArgumentException if the number of players is out of range
     */
    public static double[] attribute(int players, CoalitionValue value, Supplier<? extends RandomGenerator> random) {
        requireInRange(players);
        double none = value.of(0);
        double all = players == 0 ? none : value.of((1L << players) - 1);
        return attribute(players, none, all, value, random);
    }

    /** The value of each player, given the worth of the empty and of the full coalition. */
    public static double[] attribute(
            int players, double none, double all, CoalitionValue value, Supplier<? extends RandomGenerator> random) {
        requireInRange(players);
        return players <= EXACT_PLAYERS
                ? exact(players, none, all, value)
                : sampled(players, none, all, value, random.get());
    }

    /**
     * The value of each player in a game in which an item is worth the same to each coalition that has it. The holders
     * of an item share it equally, because each of them is the first holder in equally many orders. Exact for any
     * number of players, in time linear in the number of held items.
     *
     * @param worths worth of each item
     * @param had items that every coalition has
     * @param held items of each player; those without a worth are worth nothing
     */
    public static double[] ofItems(double[] worths, BitSet had, List<BitSet> held) {
        int[] holders = new int[worths.length];
        for (BitSet items : held) {
            for (int i = first(items, 0, worths); i >= 0; i = first(items, i + 1, worths)) {
                holders[i]++;
            }
        }
        double[] values = new double[held.size()];
        for (int player = 0; player < values.length; player++) {
            BitSet items = held.get(player);
            for (int i = first(items, 0, worths); i >= 0; i = first(items, i + 1, worths)) {
                values[player] += had.get(i) ? 0 : worths[i] / holders[i];
            }
        }
        return values;
    }

    /** The first item from a number on that has a worth; -1 if there is none. */
    private static int first(BitSet items, int from, double[] worths) {
        int item = items.nextSetBit(from);
        return item < worths.length ? item : -1;
    }

    private static void requireInRange(int players) {
        if (players < 0 || players > MAXIMUM_PLAYERS) {
            throw new IllegalArgumentException("players are " + players + "; allowed: 0.." + MAXIMUM_PLAYERS);
        }
    }

    private static double[] exact(int players, double none, double all, CoalitionValue value) {
        if (players == 1) {
            return new double[] {all - none};
        }
        double[] worth = new double[1 << players];
        worth[0] = none;
        for (int coalition = 1; coalition < worth.length - 1; coalition++) {
            worth[coalition] = value.of(coalition);
        }
        worth[worth.length - 1] = all;
        double[] weights = weightsBySize(players);
        double[] values = new double[players];
        for (int coalition = 0; coalition < worth.length; coalition++) {
            double weight = weights[Integer.bitCount(coalition)];
            for (int player = 0; player < players; player++) {
                int with = coalition | (1 << player);
                if (with != coalition) {
                    values[player] += weight * (worth[with] - worth[coalition]);
                }
            }
        }
        return values;
    }

    /** By size s: s! (n - s - 1)! / n!, the share of orders in which s given players come first, then a given one. */
    private static double[] weightsBySize(int players) {
        double[] weights = new double[players + 1];
        double weight = 1.0 / Math.max(1, players);
        for (int size = 0; size < players; size++) {
            weights[size] = weight;
            weight *= (size + 1.0) / Math.max(1, players - size - 1);
        }
        return weights;
    }

    private static double[] sampled(
            int players, double none, double all, CoalitionValue value, RandomGenerator random) {
        int[] order = new int[players];
        for (int i = 0; i < players; i++) {
            order[i] = i;
        }
        double[] values = new double[players];
        for (int sample = 0; sample < SAMPLED_ORDERS; sample++) {
            if (sample % 2 == 0) {
                shuffle(order, random);
            } else {
                reverse(order);
            }
            long coalition = 0;
            double before = none;
            for (int i = 0; i < players; i++) {
                coalition |= 1L << order[i];
                double after = i == players - 1 ? all : value.of(coalition);
                values[order[i]] += (after - before) / SAMPLED_ORDERS;
                before = after;
            }
        }
        return values;
    }

    private static void shuffle(int[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            swap(order, i, random.nextInt(i + 1));
        }
    }

    private static void reverse(int[] order) {
        for (int i = 0; i < order.length / 2; i++) {
            swap(order, i, order.length - 1 - i);
        }
    }

    private static void swap(int[] order, int i, int j) {
        int player = order[i];
        order[i] = order[j];
        order[j] = player;
    }
}
