package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import java.util.List;

/**
 * A number of equal groups of servers. The groups share the requests; the servers of a group all work on the same ones.
 *
 * @param replicas number of groups, which share the requests
 * @param duplicates servers in a group; each gets all of the group's requests
 * @param serviceLevel predicted share of requests in time, 0..1
 * @param halfWidth half the width of the 95 % interval of a simulated service level; 0 if the level was computed by a
 *     formula
 * @param group the duplicates of one group; a single one if all are equal
 * @param shares share of the requests that each duplicate in {@code group} answers in time
 */
@WithBuilder
public record Mix(
        int replicas,
        int duplicates,
        double serviceLevel,
        double halfWidth,
        List<Duplicate> group,
        List<Double> shares) {
    /** Predicts the service level of a mix; more replicas or duplicates never lower it. */
    @FunctionalInterface
    public interface MixModel {
        Mix of(int replicas, int duplicates);
    }

    public Mix {
        if (!(serviceLevel >= 0 && serviceLevel <= 1)) {
            throw new IllegalArgumentException("service level is " + serviceLevel + "; allowed: 0..1");
        }
    }

    /** Whether the service level is at least this one, even at the lower end of its interval. */
    public boolean reaches(double level) {
        return serviceLevel - halfWidth >= level;
    }

    public int servers() {
        return replicas * duplicates;
    }
}
