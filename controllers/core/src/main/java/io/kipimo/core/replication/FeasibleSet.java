package io.kipimo.core.replication;

import java.util.ArrayList;
import java.util.List;

/**
 * The set of factors that keep every tier stable, collisions rare and the extra work within its budget (sPARE, sec.
 * V-B, line 1 of algorithm 1). The requests of a tier include the amplification by the factors of the tiers above it.
 * The set always contains the factors of no replication, since there are no lower ones.
 *
 * @param tiers first to last
 * @param average loads over a longer time, for the budget of extra work
 */
public record FeasibleSet(List<TierLoad> tiers, List<TierLoad> average, FeasibilityLimits limits) {
    public FeasibleSet(List<TierLoad> tiers, FeasibilityLimits limits) {
        this(tiers, tiers, limits);
    }

    public FeasibleSet {
        tiers = List.copyOf(tiers);
        average = List.copyOf(average);
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("tiers are none; allowed: at least one");
        }
    }

    public boolean contains(Factors factors) {
        return factors.isOnes() || violations(factors).isEmpty();
    }

    /** All constraints that the factors break, tier by tier. Even without replication some can be broken. */
    public List<ConstraintViolation> violations(Factors factors) {
        List<Integer> servers = servers();
        List<ConstraintViolation> violations = new ArrayList<>();
        double most = limits.maximumUtilisation();
        for (int i = 0; i < tiers.size(); i++) {
            TierLoad tier = tiers.get(i);
            int tierServers = tier.servers().servers();
            if (factors.at(i) > tierServers) {
                violations.add(new ConstraintViolation(Constraint.SERVERS, i, factors.at(i), tierServers));
            }
            if (factors.at(i) > limits.maximumFactor(i)) {
                violations.add(
                        new ConstraintViolation(Constraint.MAXIMUM_FACTOR, i, factors.at(i), limits.maximumFactor(i)));
            }
            double collision = Collisions.probability(servers, factors, 0, i);
            if (collision > limits.maximumCollision()) {
                violations.add(new ConstraintViolation(Constraint.COLLISIONS, i, collision, limits.maximumCollision()));
            }
            double amplified = factors.amplification(0, i) * factors.at(i);
            double busy = tier.servers().utilisation(tier.requestsPerSecond() * amplified);
            if (busy >= most) {
                violations.add(new ConstraintViolation(Constraint.SERVER_CAPACITY, i, busy, most));
            }
            double held = tier.tokens()
                    .map(t -> t.utilisation(tier.connectionsPerSecond() * amplified))
                    .orElse(0.0);
            if (held >= most) {
                violations.add(new ConstraintViolation(Constraint.TOKEN_CAPACITY, i, held, most));
            }
        }
        double extra = extraLoad(factors);
        if (extra > limits.extraLoadShare()) {
            violations.add(
                    new ConstraintViolation(Constraint.EXTRA_LOAD, tiers.size() - 1, extra, limits.extraLoadShare()));
        }
        return violations;
    }

    /** Work of further copies, as a share of the capacity of all tiers. */
    public double extraLoad(Factors factors) {
        double extraCores = 0;
        double cores = 0;
        for (int i = 0; i < average.size(); i++) {
            TierLoad tier = average.get(i);
            double amplified = factors.amplification(0, i) * factors.at(i);
            double tierCores =
                    (double) tier.servers().servers() * tier.servers().cores();
            extraCores += tier.servers().utilisation(tier.requestsPerSecond() * (amplified - 1)) * tierCores;
            cores += tierCores;
        }
        return extraCores / cores;
    }

    /** Utilisation of a tier's servers under the factors. */
    public double utilisation(int tier, Factors factors) {
        double amplified = factors.amplification(0, tier) * factors.at(tier);
        return tiers.get(tier).servers().utilisation(tiers.get(tier).requestsPerSecond() * amplified);
    }

    /**
     * The nearest feasible factors below. While a constraint is broken, it considers the tiers that the first broken
     * constraint depends on, and lowers the one whose latency varies least by one, since its copies help least. It
     * stops at no replication at the latest.
     *
     * @param variability w, one a tier
     */
    public Factors nearestBelow(Factors factors, List<Double> variability) {
        Factors below = factors;
        while (!contains(below)) {
            ConstraintViolation first = violations(below).get(0);
            int least = -1;
            for (int i = 0; i < below.tiers(); i++) {
                if (i <= first.tierIndex()
                        && (!first.constraint().isOfOneTier() || i == first.tierIndex())
                        && below.at(i) > 1
                        && (least < 0 || variability.get(i) < variability.get(least))) {
                    least = i;
                }
            }
            // If no tier above can relieve it, the tier is overloaded even without copies.
            below = least < 0 ? withoutLastCopy(below) : below.moved(least, -1);
        }
        return below;
    }

    private static Factors withoutLastCopy(Factors factors) {
        for (int i = factors.tiers() - 1; i >= 0; i--) {
            if (factors.at(i) > 1) {
                return factors.moved(i, -1);
            }
        }
        return factors;
    }

    private List<Integer> servers() {
        return tiers.stream().map(tier -> tier.servers().servers()).toList();
    }
}
