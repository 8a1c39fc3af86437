package io.kipimo.gateway.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Joins small chunks that arrive together, so that a body in chunks of one byte costs as little as one in large chunks.
 * It never waits for further bytes.
 */
final class ChunkGatherer extends ChannelInboundHandlerAdapter {
    private static final int SMALL = 4 << 10;
    private static final int MOST = 64 << 10;

    private ByteBuf gathered;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpContent content
                && !(message instanceof LastHttpContent)
                && content.decoderResult().isSuccess()
                && (gathered != null || content.content().readableBytes() < SMALL)) {
            if (gathered == null) {
                gathered = ctx.alloc().buffer(SMALL);
            }
            gathered.writeBytes(content.content());
            content.release();
            if (gathered.readableBytes() >= MOST) {
                give(ctx);
            }
            return;
        }
        give(ctx);
        ctx.fireChannelRead(message);
    }

    private void give(ChannelHandlerContext ctx) {
        if (gathered != null) {
            ByteBuf all = gathered;
            gathered = null;
            ctx.fireChannelRead(new DefaultHttpContent(all));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        give(ctx);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }
}
