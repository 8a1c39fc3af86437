package io.kipimo.envoy;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the number of open connections, and closes further ones as it accepts them. gRPC itself reports a connection
 * only after its handshake, so it cannot limit silent ones.
 */
final class BoundedServerChannel extends NioServerSocketChannel {
    private final int most;
    private final LongAdder refused;
    private final AtomicInteger open = new AtomicInteger();

    /** @param refused counts the connections that were closed at once */
    BoundedServerChannel(int most, LongAdder refused) {
        this.most = most;
        this.refused = refused;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int read = super.doReadMessages(accepted);
        if (read > 0) {
            Channel connection = (Channel) accepted.get(accepted.size() - 1);
            if (open.incrementAndGet() > most) {
                open.decrementAndGet();
                accepted.remove(accepted.size() - 1);
                refused.increment();
                connection.unsafe().closeForcibly();
            } else {
                var unused = connection.closeFuture().addListener(closed -> open.decrementAndGet());
            }
        }
        return read;
    }
}
