package io.kipimo.gateway.transport;

import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Closes connections of callers that are too slow, whose body is malformed, or that pipeline too many requests. A
 * caller that has received nothing of its response gets an error response first.
 *
 * <p>The time limit of a body pauses while the gateway does not read, or has nothing to write.
 */
final class RequestGuard extends ChannelDuplexHandler {
    private static final int MOST_PIPELINED = 100;
    private static final long LONGEST_TICK_MILLIS = 1_000;

    private final RequestDecoder decoder;
    private final ListenerConfig.CallerLimits config;
    private final RouteCounts counts;
    private final long tickMillis;

    /** Requests without a complete response. */
    private int unanswered;

    /** Whether a part of the response to the first unanswered request has been written. */
    private boolean answering;

    private boolean isFirstHead = true;
    private boolean inBody;
    private boolean ticking;
    private boolean closed;
    private long headMillis;
    private long bodyMillis;
    private long bodyBytes;
    private long readerMillis;
    private long writtenBytes;

    /** Bytes of the response written when the interval of {@link #readerMillis} began. */
    private long readBytes;

    RequestGuard(RequestDecoder decoder, ListenerConfig.CallerLimits config, RouteCounts counts) {
        this.decoder = decoder;
        this.config = config;
        this.counts = counts;
        tickMillis = Math.max(1, Math.min(LONGEST_TICK_MILLIS, Math.min(config.headMillis(), config.bodyMillis()) / 8));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        tickLater(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (closed) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            isFirstHead = false;
            headMillis = 0;
            bodyMillis = 0;
            bodyBytes = 0;
            inBody = request.decoderResult().isSuccess();
            if (++unanswered > MOST_PIPELINED) {
                ReferenceCountUtil.release(message);
                breakOff(ctx, Fault.PIPELINED, HttpResponseStatus.BAD_REQUEST, "");
                return;
            }
        }
        if (message instanceof HttpContent content) {
            if (content.decoderResult().isFailure() && !(message instanceof HttpRequest)) {
                content.release();
                breakOff(ctx, Fault.REQUEST_BODY, HttpResponseStatus.BAD_REQUEST, "the body's framing is broken");
                return;
            }
            bodyBytes += content.content().readableBytes();
            inBody &= !(message instanceof LastHttpContent);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        tickLater(ctx);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        tickLater(ctx);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            var unused = ctx.write(message, promise);
            return;
        }
        if (message instanceof HttpResponse) {
            answering = true;
            readerMillis = 0;
            writtenBytes = 0;
            readBytes = 0;
        }
        if (message instanceof HttpContent content) {
            writtenBytes += content.content().readableBytes();
            if (message instanceof LastHttpContent) {
                answering = false;
                unanswered--;
                tickLater(ctx);
            }
        }
        var unused = ctx.write(message, promise);
    }

    private boolean isHeadUnderWay() {
        return unanswered == 0 && (isFirstHead || decoder.isHeadUnderWay());
    }

    private void tickLater(ChannelHandlerContext ctx) {
        if (ticking || closed || !(isHeadUnderWay() || inBody || !ctx.channel().isWritable())) {
            return;
        }
        ticking = true;
        var unused = ctx.executor().schedule(() -> tick(ctx), tickMillis, TimeUnit.MILLISECONDS);
    }

    private void tick(ChannelHandlerContext ctx) {
        ticking = false;
        if (closed || !ctx.channel().isActive()) {
            return;
        }
        headMillis = isHeadUnderWay() ? headMillis + tickMillis : 0;
        if (inBody && ctx.channel().config().isAutoRead()) {
            bodyMillis += tickMillis;
        }
        long nowRead = writtenBytes;
        if (!ctx.channel().isWritable()) {
            readerMillis += tickMillis;
            nowRead -= ctx.channel().unsafe().outboundBuffer().totalPendingWriteBytes();
        }
        if (headMillis > config.headMillis()) {
            breakOff(ctx, Fault.SLOW_HEAD, HttpResponseStatus.REQUEST_TIMEOUT, "the request's head arrives too slowly");
        } else if (bodyMillis >= config.bodyMillis()) {
            if (inBody && config.isTooSlow(bodyMillis, bodyBytes)) {
                breakOff(
                        ctx,
                        Fault.SLOW_BODY,
                        HttpResponseStatus.REQUEST_TIMEOUT,
                        "the request's body arrives too slowly");
            }
            bodyMillis = 0;
            bodyBytes = 0;
        } else if (readerMillis >= config.bodyMillis()) {
            if (config.isTooSlow(readerMillis, nowRead - readBytes)) {
                breakOff(ctx, Fault.SLOW_READER, HttpResponseStatus.REQUEST_TIMEOUT, "");
            }
            readerMillis = 0;
            readBytes = nowRead;
        }
        tickLater(ctx);
    }

    /** Closes the connection. Before that, responds with the reason, unless that would interrupt another response. */
    private void breakOff(ChannelHandlerContext ctx, Fault fault, HttpResponseStatus status, String why) {
        counts.count(fault);
        closed = true;
        boolean isHead = fault == Fault.SLOW_HEAD;
        if (why.isEmpty() || answering || unanswered != (isHead ? 0 : 1) || (isHead && !decoder.isHeadUnderWay())) {
            var unused = ctx.close();
            return;
        }
        ByteBuf text = ByteBufUtil.writeUtf8(ctx.alloc(), why + '\n');
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, text);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        counts.status(status.code());
        var unused = ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
}
