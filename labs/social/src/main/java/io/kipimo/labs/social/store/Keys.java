package io.kipimo.labs.social.store;

/** Key names in Redis. */
final class Keys {
    private Keys() {}

    /** Hash: name and the like, friends, requests, resources (counts). */
    static String member(int member) {
        return "member:" + member;
    }

    /** Set of members. */
    static String friends(int member) {
        return "friends:" + member;
    }

    /** Set of members. */
    static String requests(int member) {
        return "requests:" + member;
    }

    /** Sorted set of resources by age. */
    static String resources(int member) {
        return "resources:" + member;
    }

    /** Hash: owner, type, body, comments (count). */
    static String resource(long resource) {
        return "resource:" + resource;
    }

    /** Hash of texts by comment. */
    static String comments(long resource) {
        return "comments:" + resource;
    }

    /** Marks the database as Kipimo's, so that it may be emptied. */
    static final String OWNED = "kipimo:social";

    /** Name of the database's current state; not part of the state. */
    static final String EPOCH = "kipimo:epoch";

    /** Set of the generators that have written in the epoch; not part of the state. */
    static final String WRITERS = "kipimo:writers";

    static String comment(long resource, long comment) {
        return "Comment " + comment + " on resource " + resource + ", said by one of its readers.";
    }
}
