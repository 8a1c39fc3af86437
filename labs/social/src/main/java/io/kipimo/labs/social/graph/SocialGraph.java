package io.kipimo.labs.social.graph;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The initial database (table 2). Members 0..M-1 live in communities without friendships between them, so generators
 * that share a load never write the same pair. The members of a community form a circle. Each is a friend of its phi/2
 * neighbours on either side, and has requests from the next ones. Everything follows from the sizes, so nothing is
 * stored.
 *
 * @param members M, 1 or more
 * @param communities member m is in community m mod communities; at most this many generators can share a load
 * @param friends phi, number of friends of each member; even, 0 or more
 * @param requests open friend requests to each member, 0 or more
 * @param resources rho, number of resources of each member, 1 or more
 * @param comments on each resource, 0 or more
 */
public record SocialGraph(int members, int communities, int friends, int requests, int resources, int comments) {
    /** Least number of members that a member can invite: they are no friends, and no request is open between them. */
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
            throw new IllegalArgumentException("members is "
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

    /** A graph like BG's, with one initial request to each member and one comment on each resource. */
    public static SocialGraph of(int members, int friends, int resources) {
        return new SocialGraph(members, 1, friends, 1, resources, 1);
    }

    public SocialGraph withCommunities(int count) {
        return new SocialGraph(members, count, friends, requests, resources, comments);
    }

    /** Initial friends of a member, ascending. */
    public long[] friendsOf(int member) {
        long[] all = new long[friends];
        for (int distance = 1; distance <= friends / 2; distance++) {
            all[2 * distance - 2] = neighbour(member, distance);
            all[2 * distance - 1] = neighbour(member, -distance);
        }
        Arrays.sort(all);
        return all;
    }

    /** Initial friend requests to a member, ascending. */
    public long[] requestsOf(int member) {
        return LongStream.rangeClosed(1, requests)
                .map(i -> neighbour(member, friends / 2 + (int) i))
                .sorted()
                .toArray();
    }

    /** Initial comments on a resource, ascending. */
    public long[] commentsOn(long resource) {
        return LongStream.range(0, comments).toArray();
    }

    /** Number of a member's first resource. The member's further resources have the next numbers. */
    public long firstResource(int member) {
        return (long) member * resources;
    }

    public int community(int member) {
        return member % communities;
    }

    /** Number of members in a community. */
    public int communitySize(int community) {
        return (members - community + communities - 1) / communities;
    }

    /** The member a given number of places further in the circle of a member's community. */
    public int neighbour(int member, int distance) {
        int community = community(member);
        int place = Math.floorMod(member / communities + distance, communitySize(community));
        return community + place * communities;
    }

    private static void atLeast(String field, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: " + least + " or more");
        }
    }
}
