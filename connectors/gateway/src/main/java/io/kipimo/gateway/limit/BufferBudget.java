package io.kipimo.gateway.proxy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies the gateway keeps, of all listeners: of requests that may be sent more
 * than once, and of responses until they are whole. What finds no room passes through, unkept.
 *
 * <p>For any number of threads.
 */
public final class BufferBudget {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param most bytes
     */
    public BufferBudget(long most) {
        this.most = most;
    }

    /** Takes room, or none if there is not enough. */
    boolean take(int bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Bytes now. */
    public long used() {
        return used.get();
    }
}
