package io.kipimo.gateway.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * Decodes requests that RFC 9112 allows. For another request it emits a message, or the last part of one, that carries
 * the cause of the failure. It then discards all further bytes.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
    private final HeadLines lines = new HeadLines(true);
    private final ChunkLines chunks = new ChunkLines();
    private boolean inHead = true;
    private boolean headBegun;
    private boolean failed;

    RequestDecoder(HttpServerOptions options) {
        super(options);
    }

    /** Whether a head has arrived in part. */
    boolean isHeadUnderWay() {
        return headBegun && !failed;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (failed) {
            buffer.skipBytes(buffer.readableBytes());
            return;
        }
        headBegun = inHead;
        try {
            if (!check(buffer)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            failed = true;
            buffer.skipBytes(buffer.readableBytes());
            out.add(failure(e));
            return;
        }
        int from = out.size();
        int start = buffer.readerIndex();
        super.decode(ctx, buffer, out);
        chunks.read(buffer.readerIndex() - start);
        for (int i = from; i < out.size(); i++) {
            decoded((HttpObject) out.get(i));
        }
    }

    private boolean check(ByteBuf buffer) {
        if (inHead) {
            return lines.check(buffer);
        }
        if (chunks.inTrailers()) {
            return lines.checkTrailers(buffer);
        }
        chunks.check(buffer);
        return true;
    }

    private void decoded(HttpObject object) {
        if (object.decoderResult().isFailure()) {
            failed = true;
            return;
        }
        if (object instanceof HttpRequest request) {
            inHead = false;
            headBegun = false;
            lines.reset();
            chunks.begin(HttpUtil.isTransferEncodingChunked(request));
        }
        if (object instanceof LastHttpContent) {
            inHead = true;
            lines.reset();
        }
    }

    private HttpObject failure(IllegalArgumentException why) {
        if (inHead) {
            HttpMessage request = createInvalidMessage();
            request.setDecoderResult(DecoderResult.failure(why));
            return request;
        }
        LastHttpContent end = new DefaultLastHttpContent();
        end.setDecoderResult(DecoderResult.failure(why));
        return end;
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (failed) {
            buffer.skipBytes(buffer.readableBytes());
        } else {
            super.decodeLast(ctx, buffer, out);
        }
    }
}
