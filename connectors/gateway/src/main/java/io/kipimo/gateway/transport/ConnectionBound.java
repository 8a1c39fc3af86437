package io.kipimo.gateway.transport;

import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How many connections callers may have open at an address. For any number of threads. */
public final class ConnectionBound {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    public ConnectionBound(int most) {
        this.most = most;
    }

    /** Takes a place until the channel is closed. Without one it is closed now. */
    boolean take(Channel channel) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            var unused = channel.close();
            return false;
        }
        // It is told even of a channel that is closed by now.
        var unused = channel.closeFuture().addListener(closed -> open.decrementAndGet());
        return true;
    }

    /** Connections now. */
    public int open() {
        return open.get();
    }

    /** Connections that were closed at once. */
    public long refused() {
        return refused.sum();
    }
}
