package io.kipimo.labs.social.graph;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Draws members by Zipf's law. The weight of member m is (m + 1)^-(1 - theta), as in BG (its DistOfAccess.java). With
 * theta = 0.27 and 10,000 members, 20 % of them take part in 62 % of the actions.
 *
 * <p>A generator that has a share of the communities draws from their members by these weights. So all generators
 * together follow the law of the whole (D-Zipfian), except at the head: weights of communities differ by at most that
 * of member 0.
 */
public final class MemberChoice {
    private final int[] members;
    private final double[] cumulative;

    /**
     * Draws from the communities index, index + of, index + 2 of, and so on.
     *
     * @param theta 0..1; 1: all members equally likely
     * @param index 0..of - 1
     * @param of at most the number of communities
     */
    public MemberChoice(SocialGraph graph, double theta, int index, int of) {
        if (!(theta >= 0 && theta <= 1)) {
            throw new IllegalArgumentException("theta is " + theta + "; allowed: 0..1");
        }
        if (of > graph.communities()) {
            throw new IllegalArgumentException(
                    "generators are " + of + "; allowed: as many as communities, which are " + graph.communities());
        }
        int[] own = new int[graph.members()];
        int size = 0;
        for (int member = 0; member < graph.members(); member++) {
            if (graph.community(member) % of == index) {
                own[size++] = member;
            }
        }
        this.members = Arrays.copyOf(own, size);
        this.cumulative = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += StrictMath.pow(members[i] + 1, theta - 1);
            cumulative[i] = sum;
        }
    }

    public int draw(RandomGenerator random) {
        double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
        int at = Arrays.binarySearch(cumulative, wanted);
        return members[Math.min(members.length - 1, at >= 0 ? at + 1 : -at - 1)];
    }
}
