package io.kipimo.gateway.transport;

import io.kipimo.gateway.metrics.RouteCounts;
import io.kipimo.gateway.metrics.RouteCounts.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Speaks to a server, one exchange after the other, so that nobody ever gets the answer to somebody
 * else's request.
 *
 * <p>Interim responses are read over. The end of a response is given on when all is read that came
 * with it; the connection carries another request only if nothing came beyond it, the request had
 * been sent whole, and the response cannot have a body that its head does not tell of. Else the
 * response says {@code Connection: close}, which is how Vert.x is told. Bytes that nobody asked for
 * close the connection at once.
 */
final class ServerCodec
        extends CombinedChannelDuplexHandler<HttpResponseDecoder, HttpRequestEncoder> {
    private final RouteCounts counts;

    /** Of the exchange under way; null: there is none. */
    private HttpMethod method;

    private boolean requestIsWhole;

    ServerCodec(HttpDecoderConfig config, RouteCounts counts) {
        this.counts = counts;
        init(new Decoder(config), new Encoder());
    }

    private final class Encoder extends HttpRequestEncoder {
        @Override
        protected void encode(ChannelHandlerContext ctx, Object message, List<Object> out)
                throws Exception {
            if (message instanceof HttpRequest request) {
                method = request.method();
                requestIsWhole = false;
            }
            if (message instanceof LastHttpContent) {
                requestIsWhole = true;
            }
            super.encode(ctx, message, out);
        }
    }

    private final class Decoder extends HttpResponseDecoder {
        private final HeadLines lines = new HeadLines(false);
        private final ChunkLines chunks = new ChunkLines();
        private HttpHeaders headers;
        private boolean inHead = true;

        /** What an interim response ends with comes next. */
        private boolean inInterim;

        /** Nothing but this connection's end can tell where the response ends. */
        private boolean doubtful;

        /** Of a response that has come whole, until all is read that came with it. */
        private LastHttpContent end;

        private boolean failed;

        Decoder(HttpDecoderConfig config) {
            super(config);
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out)
                throws Exception {
            if (failed || method == null || end != null) {
                buffer.skipBytes(buffer.readableBytes());
                doubtful = true;
                if (!failed && end == null) {
                    failed = true;
                    counts.count(Fault.RESPONSE_UNASKED);
                    var unused = ctx.close();
                }
                return;
            }
            try {
                check(buffer);
            } catch (IllegalArgumentException e) {
                buffer.skipBytes(buffer.readableBytes());
                out.add(failure(e));
                return;
            }
            int from = out.size();
            int start = buffer.readerIndex();
            super.decode(ctx, buffer, out);
            chunks.read(buffer.readerIndex() - start);
            for (int i = from; i < out.size(); ) {
                if (isGivenOn((HttpObject) out.get(i))) {
                    i++;
                } else {
                    out.remove(i);
                }
            }
        }

        private void check(ByteBuf buffer) {
            if (inHead) {
                var unused = lines.check(buffer);
            } else if (!chunks.inTrailers()) {
                chunks.check(buffer);
            }
        }

        private HttpObject failure(IllegalArgumentException why) {
            fail();
            HttpMessage response = createInvalidMessage();
            response.setDecoderResult(DecoderResult.failure(why));
            return response;
        }

        private void fail() {
            failed = true;
            counts.count(Fault.RESPONSE_MALFORMED);
        }

        private boolean isGivenOn(HttpObject object) {
            if (object.decoderResult().isFailure()) {
                fail();
                return true;
            }
            if (object instanceof HttpResponse response) {
                lines.reset();
                inInterim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
                if (inInterim) {
                    counts.count(Fault.RESPONSE_INTERIM);
                    return false;
                }
                inHead = false;
                chunks.begin(HttpUtil.isTransferEncodingChunked(response));
                headers = response.headers();
            }
            if (!(object instanceof LastHttpContent last)) {
                return true;
            }
            inHead = true;
            lines.reset();
            if (!inInterim) {
                end = last;
            }
            inInterim = false;
            return false;
        }

        /** Called with each head; {@link IllegalArgumentException}: it is none. */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            HttpResponse response = (HttpResponse) message;
            int status = response.status().code();
            if (status < 100 || status > 599 || status == 101) {
                // Nobody asked for another protocol: requests go on without Upgrade.
                throw new IllegalArgumentException("a response of status " + status);
            }
            if (status < 200) {
                return true;
            }
            HttpHeaders fields = response.headers();
            boolean isHead = method.equals(HttpMethod.HEAD);
            if (isHead || status == 204 || status == 304) {
                // Some servers send the body all the same.
                doubtful =
                        isHead
                                || !fields.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0")
                                || fields.contains(HttpHeaderNames.TRANSFER_ENCODING);
                return true;
            }
            doubtful = false;
            String encoding = fields.get(HttpHeaderNames.TRANSFER_ENCODING);
            if (encoding != null
                    && (!encoding.equalsIgnoreCase("chunked")
                            || !response.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
                throw new IllegalArgumentException("Transfer-Encoding is not chunked");
            }
            return false;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
            if (end != null) {
                giveEnd(ctx);
            }
            super.channelReadComplete(ctx);
        }

        private void giveEnd(ChannelHandlerContext ctx) {
            boolean cut = !requestIsWhole;
            if (doubtful || cut) {
                counts.count(Fault.CONNECTION_NOT_REUSED);
            }
            if (doubtful
                    || cut
                    || headers.containsValue(
                            HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
                headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            LastHttpContent last = end;
            end = null;
            // The next request may be written in this call.
            method = null;
            ctx.fireChannelRead(last);
            if (cut) {
                var unused = ctx.close();
            }
        }

        @Override
        protected void decodeLast(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out)
                throws Exception {
            super.decodeLast(ctx, buffer, out);
            if (end != null) {
                out.add(end);
                end = null;
            }
        }
    }
}
