package io.kipimo.core.replication.duplicates;

import java.util.List;

/**
 * A number of groups of duplicates.
 *
 * @param replicas number of groups, which share the requests
 * @param duplicates servers in a group; each gets all of the group's requests
 * @param serviceLevel predicted share of requests in time, 0..1
 * @param group the duplicates of one group; a single one if all are equal
 */
public record Mix(int replicas, int duplicates, double serviceLevel, List<Duplicate> group) {
    public Mix {
        if (!(serviceLevel >= 0 && serviceLevel <= 1)) {
            throw new IllegalArgumentException(
                    "service level is " + serviceLevel + "; allowed: 0..1");
        }
    }

    public int servers() {
        return replicas * duplicates;
    }
}
