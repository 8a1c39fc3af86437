package io.kipimo.core.replication;

import java.util.List;

/**
 * Probability that two copies of one request meet at the same server of a later tier, where they cannot profit from
 * differences between servers (sPARE, sec. III-D and III-E, proposition 2). The probability that none meet is
 *
 * <pre>
 * P_n = product over k = 0 .. a-1 of C(M_j - k r_j, r_j) / C(M_j, r_j)^a,  a = r_i * .. * r_(j-1)
 * </pre>
 *
 * so the collision probability is 1 - P_n. It is 0 when a = 1, and 1 when {@code a * r_j > M_j}. (The paper's text says
 * "at least as large" instead of "larger"; the code follows the paper's formula.)
 *
 * <p>The binomials cancel, so P_n is the product over k and t &lt; r_j of {@code 1 - k r_j / (M_j - t)}. The code sums
 * its logarithm, which is exact for any number of servers.
 */
public final class Collisions {
    private Collisions() {}

    /**
     * Collision probability of a tier-{@code from} request at tier {@code to}, 0..1. Copies that one tier sends never
     * collide at that tier itself, unless there are more copies than servers.
     *
     * @param servers M, the number of servers of each tier, each at least 1
     * @param from tier of the request; 0 is the first tier
     * @param to tier of the collision; at or after {@code from}
     * @throws IllegalArgumentException if there are not as many servers as factors, one is below 1, or a tier is out of
     *     range
     */
    public static double probability(List<Integer> servers, Factors factors, int from, int to) {
        if (servers.size() != factors.tiers()
                || servers.stream().anyMatch(count -> count < 1)
                || from < 0
                || from > to
                || to >= factors.tiers()) {
            throw new IllegalArgumentException(
                    ("servers are %s, factors %s, tiers %s to %s; allowed: as many servers as factors, "
                                    + "each >= 1, tiers 0..%s")
                            .formatted(servers, factors, from, to, factors.tiers() - 1));
        }
        int tierServers = servers.get(to);
        int copies = factors.at(to);
        double requests = factors.amplification(from, to);
        if (requests * copies > tierServers) {
            return 1;
        }
        double logOfNone = 0;
        for (int k = 1; k < (int) requests; k++) {
            for (int t = 0; t < copies; t++) {
                logOfNone += Math.log1p(-(double) k * copies / (tierServers - t));
            }
        }
        return 0 - Math.expm1(logOfNone);
    }
}
