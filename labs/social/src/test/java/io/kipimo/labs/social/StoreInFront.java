package io.kipimo.labs.social;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.store.SocialStore;
import java.util.List;

/** A store that delegates to another store. */
abstract class StoreInFront implements SocialStore {
    final SocialStore behind;

    StoreInFront(SocialStore behind) {
        this.behind = behind;
    }

    @Override
    public Profile profile(int member) {
        return behind.profile(member);
    }

    @Override
    public List<Friend> friends(int member) {
        return behind.friends(member);
    }

    @Override
    public int[] requests(int member) {
        return behind.requests(member);
    }

    @Override
    public List<Resource> topResources(int member, int count) {
        return behind.topResources(member, count);
    }

    @Override
    public long[] comments(long resource) {
        return behind.comments(resource);
    }

    @Override
    public boolean invite(int inviter, int invitee) {
        return behind.invite(inviter, invitee);
    }

    @Override
    public boolean accept(int invitee, int inviter) {
        return behind.accept(invitee, inviter);
    }

    @Override
    public boolean reject(int invitee, int inviter) {
        return behind.reject(invitee, inviter);
    }

    @Override
    public boolean thaw(int member, int friend) {
        return behind.thaw(member, friend);
    }

    @Override
    public boolean post(long resource, long comment, int author) {
        return behind.post(resource, comment, author);
    }

    @Override
    public boolean delete(long resource, long comment) {
        return behind.delete(resource, comment);
    }

    @Override
    public void load(SocialGraph graph) {
        behind.load(graph);
    }

    @Override
    public void mark(String epoch) {
        behind.mark(epoch);
    }

    @Override
    public String mark() {
        return behind.mark();
    }

    @Override
    public boolean claim(String epoch, int index) {
        return behind.claim(epoch, index);
    }

    @Override
    public void reconnect() {
        behind.reconnect();
    }

    @Override
    public String digest() {
        return behind.digest();
    }

    @Override
    public void close() {
        behind.close();
    }
}
