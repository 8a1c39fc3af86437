package io.kipimo.labs.social;

import io.kipimo.labs.social.store.SocialStore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A broken store: it applies some writes and reports a failure, and reports success for others that it does not apply.
 */
final class HalfHearted extends StoreInFront {
    private static final int EVERY = 7;

    private final AtomicInteger writes = new AtomicInteger();

    HalfHearted(SocialStore behind) {
        super(behind);
    }

    @Override
    public boolean thaw(int member, int friend) {
        if (writes.incrementAndGet() % EVERY == 0) {
            return true;
        }
        boolean done = behind.thaw(member, friend);
        return lost(done);
    }

    @Override
    public boolean accept(int invitee, int inviter) {
        return lost(behind.accept(invitee, inviter));
    }

    @Override
    public boolean post(long resource, long comment, int author) {
        return lost(behind.post(resource, comment, author));
    }

    private boolean lost(boolean done) {
        if (writes.incrementAndGet() % EVERY == 0) {
            throw new IllegalStateException("the answer was lost");
        }
        return done;
    }
}
