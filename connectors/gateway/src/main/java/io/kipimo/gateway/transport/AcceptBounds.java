package io.kipimo.gateway.transport;

import io.kipimo.sdk.internal.net.Address;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.impl.transports.JDKTransport;
import io.vertx.core.net.NetServerOptions;
import java.util.Map;

/**
 * Bounds connections when they are accepted, that is before a TLS handshake. Vert.x reports a connection only after it.
 */
public final class AcceptBounds extends JDKTransport {
    private final Map<Address, ConnectionBound> bounds;

    /** @param bounds by the address and port of the server's options */
    public AcceptBounds(Map<Address, ConnectionBound> bounds) {
        this.bounds = Map.copyOf(bounds);
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        super.configure(options, domainSocket, bootstrap);
        ConnectionBound bound = bounds.get(new Address(options.getHost(), options.getPort()));
        if (bound != null) {
            bootstrap.handler(new Acceptor(bound));
        }
    }

    /** Handler of a listening channel, which reads the accepted channels. */
    @Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final ConnectionBound bound;

        Acceptor(ConnectionBound bound) {
            this.bound = bound;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object accepted) {
            if (bound.take((Channel) accepted)) {
                ctx.fireChannelRead(accepted);
            }
        }
    }
}
