package io.kipimo.gateway.limit;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes that are kept at once. Thread-safe. */
public final class BufferBudget {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param most bytes
     */
    public BufferBudget(long most) {
        this.most = most;
    }

    /** Takes room; false: there is not enough, and none is taken. */
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

    /** Bytes now. */
    public long used() {
        return used.get();
    }
}
