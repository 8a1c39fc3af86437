package io.kipimo.labs.social.graph;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The database as it is loaded (table 2): members 0..M-1 in communities that are friends among
 * themselves only, so that generators which share a load never write the same pair. Within a
 * community members stand in a circle; each is a friend of phi/2 on either side, and has requests
 * from the next ones. Everything follows from the sizes; nothing has to be kept.
 *
 * @param members M, 1 or more
 * @param communities member m is in community m mod communities; as many generators may share a
 *     load
 * @param friends phi, of each member; even, 0 or more
 * @param requests that wait for each member's answer, 0 or more
 * @param resources rho, of each member, 1 or more
 * @param comments on each resource, 0 or more
 */
public record SocialGraph(
        int members, int communities, int friends, int requests, int resources, int comments) {
    /** Members need others to invite who are neither friends nor have asked. */
    private static final int STRANGERS = 2;

    public SocialGraph {
        atLeast("members", members, 1);
        atLeast("communities", communities, 1);
        atLeast("friends", friends, 0);
        atLeast("requests", requests, 0);
        atLeast("resources", resources, 1);
        atLeast("comments", comments, 0);
        if (friends % 2 != 0) {
            throw new IllegalArgumentException("friends is " + friends + "; allowed: even");
        }
        long needed = (long) communities * (1 + friends + 2L * requests + STRANGERS);
        if (members < needed) {
            throw new IllegalArgumentException(
                    "members is "
                            + members
                            + "; allowed: "
                            + needed
                            + " or more with "
                            + communities
                            + " communities, "
                            + friends
                            + " friends and "
                            + requests
                            + " requests");
        }
    }

    /** As BG's, with a request for each member and a comment on each resource to begin with. */
    public static SocialGraph of(int members, int friends, int resources) {
        return new SocialGraph(members, 1, friends, 1, resources, 1);
    }

    public SocialGraph withCommunities(int count) {
        return new SocialGraph(members, count, friends, requests, resources, comments);
    }

    /** Who are a member's friends at first, ascending. */
    public long[] friendsOf(int member) {
        long[] all = new long[friends];
        for (int distance = 1; distance <= friends / 2; distance++) {
            all[2 * distance - 2] = neighbour(member, distance);
            all[2 * distance - 1] = neighbour(member, -distance);
        }
        Arrays.sort(all);
        return all;
    }

    /** Who wants to be a member's friend at first, ascending. */
    public long[] requestsOf(int member) {
        return LongStream.rangeClosed(1, requests)
                .map(i -> neighbour(member, friends / 2 + (int) i))
                .sorted()
                .toArray();
    }

    /** The comments on a resource at first, ascending. */
    public long[] commentsOn(long resource) {
        return LongStream.range(0, comments).toArray();
    }

    /** A member's resources: its number of them from here. */
    public long firstResource(int member) {
        return (long) member * resources;
    }

    public int owner(long resource) {
        return (int) (resource / resources);
    }

    public int community(int member) {
        return member % communities;
    }

    /** How many are in a community. */
    public int communitySize(int community) {
        return (members - community + communities - 1) / communities;
    }

    /** Who stands so many places further in the circle of a member's community. */
    public int neighbour(int member, int distance) {
        int community = community(member);
        int place = Math.floorMod(member / communities + distance, communitySize(community));
        return community + place * communities;
    }

    private static void atLeast(String field, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    field + " is " + value + "; allowed: " + least + " or more");
        }
    }
}
