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

    /**
     * Number of connections for one address. If all addresses together want more than the process can hold, each gets a
     * share in proportion to the number that it wants.
     *
     * @param wanted number that this address wants
     * @param all number that all addresses want together
     * @param room number that the process can hold
     */
    public static int share(int wanted, long all, long room) {
        return all <= room ? wanted : (int) Math.max(1, wanted * room / all);
    }

    /** Limit of open connections. */
    public int most() {
        return most;
    }

    /** Takes a place until the channel is closed. If none is free, closes the channel now. */
    boolean take(Channel channel) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            if (channel.isRegistered()) {
                var unused = channel.close();
            } else {
                channel.unsafe().closeForcibly();
            }
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
