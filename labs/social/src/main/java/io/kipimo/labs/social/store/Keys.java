package io.kipimo.labs.social.store;

/** Names of keys in Redis, with the structure of their values. */
final class Keys {
    private Keys() {}

    /** Key of a hash: name and other data of the member, and its numbers of friends, requests and resources. */
    static String member(int member) {
        return "member:" + member;
    }

    /** Key of a set: the member's friends. */
    static String friends(int member) {
        return "friends:" + member;
    }

    /** Key of a set: the members with an open friend request to the member. */
    static String requests(int member) {
        return "requests:" + member;
    }

    /** Key of a sorted set: the member's resources by age. */
    static String resources(int member) {
        return "resources:" + member;
    }

    /** Key of a hash: owner, type and body of the resource, and its number of comments. */
    static String resource(long resource) {
        return "resource:" + resource;
    }

    /** Key of a hash: texts of the comments on the resource, by comment. */
    static String comments(long resource) {
        return "comments:" + resource;
    }

    /** Key that marks the database as Kipimo's, so that it may be emptied. */
    static final String OWNED = "kipimo:social";

    /** Key of the name of the database's current state. It is not part of the state. */
    static final String EPOCH = "kipimo:epoch";

    /** Key of a set: the generators that have written in the epoch. It is not part of the state. */
    static final String WRITERS = "kipimo:writers";

    static String comment(long resource, long comment) {
        return "Comment " + comment + " on resource " + resource + ", said by one of its readers.";
    }
}
