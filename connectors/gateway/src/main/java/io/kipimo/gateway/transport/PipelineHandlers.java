package io.kipimo.gateway.transport;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.metrics.RouteCounts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Puts this package's handlers into the pipelines of Vert.x as connections are made, before anything has been read:
 *
 * <pre>
 * caller -> {@link RequestDecoder} -> {@link ChunkGatherer} -> {@link RequestGuard} -> Vert.x
 * server -> {@link ServerCodec}    -> {@link ChunkGatherer}                    -> Vert.x
 * </pre>
 */
public final class PipelineHandlers {
    private static final String LAST = "handler";

    private PipelineHandlers() {}

    /** Prepares the connection of a caller. */
    public static void ofCaller(
            HttpConnection connection, HttpServerOptions options, ListenerConfig config, RouteCounts counts) {
        ChannelPipeline pipeline = channel(connection).pipeline();
        if (pipeline.get("httpDecoder") == null) {
            // HTTP/2: its framing cannot be read in two ways.
            return;
        }
        RequestDecoder decoder = new RequestDecoder(options);
        pipeline.replace("httpDecoder", "httpDecoder", decoder);
        pipeline.addBefore(LAST, "chunks", new ChunkGatherer());
        pipeline.addBefore(LAST, "guard", new RequestGuard(decoder, config.clients(), counts));
    }

    /** Prepares a connection to a server. */
    public static void ofServer(HttpConnection connection, int headBytes, RouteCounts counts) {
        ChannelPipeline pipeline = channel(connection).pipeline();
        HttpDecoderConfig decoding = new HttpDecoderConfig().setMaxHeaderSize(headBytes);
        pipeline.replace("codec", "codec", new ServerCodec(decoding, counts));
        pipeline.addBefore(LAST, "chunks", new ChunkGatherer());
    }

    private static Channel channel(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }
}
