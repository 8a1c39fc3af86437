package io.kipimo.http;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the total size of kept bodies. Thread-safe. */
public final class BufferBudget {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    /** @param most bytes */
    public BufferBudget(long most) {
        this.most = most;
    }

    /** Reserves bytes; false: there are too few, and none are reserved. */
    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Reserved bytes. */
    public long used() {
        return used.get();
    }
}
