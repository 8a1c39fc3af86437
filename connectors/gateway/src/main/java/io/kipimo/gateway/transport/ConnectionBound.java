package io.kipimo.gateway.transport;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Limits the open connections at an address. Thread-safe. */
public final class ConnectionBound {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    public ConnectionBound(int most) {
        this.most = most;
    }

    /** Takes a place until the channel is closed. If none is free, closes the channel now. */
    boolean take(Channel channel) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            var unused = channel.close();
            return false;
        }
        // The listener also runs if the channel is closed already.
        var unused = channel.closeFuture().addListener(closed -> open.decrementAndGet());
        return true;
    }

    /** Open connections. */
    public int open() {
        return open.get();
    }

    /** Connections that were closed at once because of the limit. */
    public long refused() {
        return refused.sum();
    }
}
