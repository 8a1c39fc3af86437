package io.kipimo.labs.social.store;

import io.kipimo.labs.social.graph.SocialGraph;
import java.util.List;

/**
 * A data store under the social workload. Each action is atomic, blocks until it is answered, and throws the exceptions
 * of the store's client. Thread-safe.
 *
 * <p>A write returns whether it was applied. A write that the store's state does not allow, such as an invitation of a
 * friend, changes nothing.
 */
public interface SocialStore extends AutoCloseable {
    /**
     * A member with its numbers.
     *
     * @param name empty: there is no such member
     */
    record Profile(String name, int friends, int requests, int resources) {}

    /** A friend in a list. */
    record Friend(int member, String name) {}

    /**
     * A resource on a wall.
     *
     * @param comments number of comments
     */
    record Resource(long id, int owner, int comments) {}

    Profile profile(int member);

    /** Friends of the member, in any order. */
    List<Friend> friends(int member);

    /** Members with an open friend request to this member, in any order. */
    int[] requests(int member);

    /** At most {@code count} resources, the newest first. */
    List<Resource> topResources(int member, int count);

    /** Ids of the comments, in any order. */
    long[] comments(long resource);

    boolean invite(int inviter, int invitee);

    boolean accept(int invitee, int inviter);

    boolean reject(int invitee, int inviter);

    boolean thaw(int member, int friend);

    boolean post(long resource, long comment, int author);

    boolean delete(long resource, long comment);

    /** Empties the store and loads the graph. */
    void load(SocialGraph graph);

    /** Gives the current state a name. Loading or restoring removes the name. */
    void mark(String epoch);

    /** Name of the current state; empty: it has none. */
    String mark();

    /**
     * Registers a generator that is about to write.
     *
     * @return false if a generator with this index has already registered in this epoch
     */
    boolean claim(String epoch, int index);

    /** Drops connections, for example after a restart of the store. */
    void reconnect();

    /** Digest of the store's contents except marks and claims, independent of order and encoding. */
    String digest();

    @Override
    void close();

    /** Name of a member. */
    static String nameOf(int member) {
        return "Member " + member;
    }
}
