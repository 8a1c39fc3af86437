package io.kipimo.labs.social.store;

import io.kipimo.labs.social.graph.SocialGraph;
import java.util.List;

/**
 * A data store under the social workload. Each action is atomic and blocks until it is answered; it
 * throws what the store's client throws. Safe for many threads.
 *
 * <p>A write answers whether it was done; not, when the store's state does not allow it, such as an
 * invitation of a friend. Nothing has changed then.
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
     * @param comments how many
     */
    record Resource(long id, int owner, int comments) {}

    Profile profile(int member);

    /** In no order. */
    List<Friend> friends(int member);

    /** Who wants to be its friend, in no order. */
    int[] requests(int member);

    /** At most {@code count}, the newest first. */
    List<Resource> topResources(int member, int count);

    /** Ids of the comments, in no order. */
    long[] comments(long resource);

    boolean invite(int inviter, int invitee);

    boolean accept(int invitee, int inviter);

    boolean reject(int invitee, int inviter);

    boolean thaw(int member, int friend);

    boolean post(long resource, long comment, int author);

    boolean delete(long resource, long comment);

    /** Empties the store and loads the graph. */
    void load(SocialGraph graph);

    /** Names the state that it is in now, until it is loaded or restored. */
    void mark(String epoch);

    /** What its state was named; empty: not. */
    String mark();

    /**
     * Says that a generator is about to write.
     *
     * @return false if one with this index has said so before in this epoch
     */
    boolean claim(String epoch, int index);

    /** Forgets connections, for example after the store was restarted. */
    void reconnect();

    /**
     * Digest of all that the store holds but marks and claims, independent of the order and form in
     * which it does.
     */
    String digest();

    @Override
    void close();

    /** What every member is called. */
    static String nameOf(int member) {
        return "Member " + member;
    }
}
