package io.kipimo.http;

import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * State of one connection. It reads one request at a time: browsers do not pipeline requests, and pipelined ones would
 * use memory.
 */
public final class Client extends ChannelDuplexHandler {
    private final Connections all;
    private final String address;
    private ChannelHandlerContext channel;

    /** Whether the head or the body of a request is incomplete. */
    private boolean awaitsInput = true;

    /** Whether the connection ends with this exchange, because later bytes cannot be trusted. */
    private boolean isLast;

    private boolean isAnswering;
    private boolean isClosing;
    private boolean hasBody;
    private boolean isStream;
    private boolean isKnown;
    private long untakenBytes;

    private long inputSinceNanos = System.nanoTime();
    private long untakenSinceNanos;
    private long exchangeSinceNanos;
    private boolean inExchange;

    Client(Connections all, String address) {
        this.all = all;
        this.address = address;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        all.remove(this);
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isClosing || (inExchange && isLast && !awaitsInput)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            if (inExchange) {
                ReferenceCountUtil.release(message);
                close();
                return;
            }
            begin(request);
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            breakOff();
            return;
        }
        if (message instanceof LastHttpContent) {
            awaitsInput = false;
        }
        context.fireChannelRead(message);
    }

    private void begin(HttpRequest request) {
        inExchange = true;
        isAnswering = false;
        exchangeSinceNanos = System.nanoTime();
        inputSinceNanos = exchangeSinceNanos;
        awaitsInput = true;
        isLast = HttpUtil.isTransferEncodingChunked(request);
        hasBody = isLast
                || !request.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
        if (request.decoderResult().isSuccess()) {
            try {
                Heads.check(request);
            } catch (HeadRefusedException e) {
                request.setDecoderResult(DecoderResult.failure(e));
            }
        }
        if (request.decoderResult().isFailure()) {
            // The response would repeat the version, which may be anything.
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
    }

    /**
     * Ends the connection with an error, since no later request can be read after a body that cannot be read to its
     * end.
     */
    private void breakOff() {
        if (isAnswering) {
            close();
            return;
        }
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
        response.headers()
                .set(HttpHeaderNames.CONTENT_LENGTH, 0)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        long bytes = message instanceof ByteBufHolder h ? h.content().readableBytes() : 0;
        boolean last = message instanceof LastHttpContent;
        if (message instanceof HttpResponse response) {
            if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                ChannelFuture unused = context.write(message, promise);
                return;
            }
            beginAnswer(response);
        }
        if (untakenBytes == 0) {
            untakenSinceNanos = System.nanoTime();
        }
        untakenBytes += bytes;
        all.untaken(this, bytes);
        ChannelPromise notified = promise.unvoid();
        notified.addListener(taken -> taken(bytes, last));
        ChannelFuture unused = context.write(message, notified);
    }

    private void beginAnswer(HttpResponse response) {
        isAnswering = true;
        isLast |= hasBody && awaitsInput;
        if (isLast) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        isLast = response.headers().contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
    }

    /**
     * Closes the output and waits for the client to close. Closing at once while the client still sends would discard
     * the response on its way.
     */
    private void hangUp() {
        isClosing = true;
        awaitsInput = true;
        inputSinceNanos = System.nanoTime();
        if (channel.channel() instanceof DuplexChannel duplex) {
            ChannelFuture unused = duplex.shutdownOutput();
        }
    }

    private void taken(long bytes, boolean last) {
        untakenBytes -= bytes;
        untakenSinceNanos = System.nanoTime();
        all.untaken(this, -bytes);
        if (last) {
            inExchange = false;
            isStream = false;
            if (isLast) {
                hangUp();
            } else if (!awaitsInput) {
                awaitsInput = true;
                inputSinceNanos = System.nanoTime();
            }
        }
    }

    /** Marks the response as a stream, which ends when either side closes it. */
    public void streams() {
        isStream = true;
    }

    /** Marks the client as known: it has shown the token, or the cookie. */
    public void known() {
        isKnown = true;
    }

    public boolean isKnown() {
        return isKnown;
    }

    /** Address of the client. All loopback addresses count as one, since a process can use any of them. */
    public String address() {
        return address;
    }

    boolean isStream() {
        return isStream;
    }

    boolean inExchange() {
        return inExchange;
    }

    long untakenBytes() {
        return untakenBytes;
    }

    /**
     * Start of the current exchange or, if there is none, of the wait for the next request; by {@link System#nanoTime}.
     */
    public long sinceNanos() {
        return inExchange ? exchangeSinceNanos : inputSinceNanos;
    }

    boolean isLate(Limits limits, long nowNanos) {
        return (awaitsInput && nowNanos - inputSinceNanos > limits.input().toNanos())
                || (untakenBytes > 0
                        && nowNanos - untakenSinceNanos > limits.untaken().toNanos())
                || (inExchange
                        && !isStream
                        && nowNanos - exchangeSinceNanos > limits.exchange().toNanos());
    }

    /** Closes at once. Vert.x's own method would wait until the client has read all pending bytes. */
    public void close() {
        all.remove(this);
        ChannelFuture unused = channel.close();
    }
}
