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
 * Codec of a connection to a server, for one exchange after the other. No caller ever receives the response to another
 * caller's request.
 *
 * <p>Interim responses are skipped. The end of a response is passed on after all bytes that arrived with it have been
 * read. The connection is reused only if there were no further bytes, the request was sent completely, and the response
 * cannot have an undeclared body. Otherwise the codec sets {@code Connection: close} in the response, so that Vert.x
 * closes the connection. Bytes without a request close the connection at once.
 */
final class ServerCodec extends CombinedChannelDuplexHandler<HttpResponseDecoder, HttpRequestEncoder> {
    private final RouteCounts counts;

    /** Method of the current exchange; null: there is none. */
    private HttpMethod method;

    private boolean requestIsWhole;

    ServerCodec(HttpDecoderConfig config, RouteCounts counts) {
        this.counts = counts;
        init(new Decoder(config), new Encoder());
    }

    private final class Encoder extends HttpRequestEncoder {
        @Override
        protected void encode(ChannelHandlerContext ctx, Object message, List<Object> out) throws Exception {
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

        /** Whether the end of an interim response follows. */
        private boolean inInterim;

        /** Whether the end of the response is uncertain until the connection closes. */
        private boolean doubtful;

        /** End of a complete response, until all bytes that arrived with it have been read. */
        private LastHttpContent end;

        private boolean failed;

        Decoder(HttpDecoderConfig config) {
            super(config);
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
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

        /**
         * Checks each head, and returns true if no body follows; throws {@link IllegalArgumentException} if it is
         * malformed.
         */
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            HttpResponse response = (HttpResponse) message;
            int status = response.status().code();
            if (status < 100 || status > 599 || status == 101) {
                // 101 is malformed, as requests are forwarded without Upgrade.
                throw new IllegalArgumentException("a response of status " + status);
            }
            if (status < 200) {
                return true;
            }
            HttpHeaders fields = response.headers();
            boolean isHead = method.equals(HttpMethod.HEAD);
            if (isHead || status == 204 || status == 304) {
                // Some servers send a body nevertheless.
                doubtful = isHead
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
            if (doubtful || cut || headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
                headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            LastHttpContent last = end;
            end = null;
            // The next request may be written during this call.
            method = null;
            ctx.fireChannelRead(last);
            if (cut) {
                var unused = ctx.close();
            }
        }

        @Override
        protected void decodeLast(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
            super.decodeLast(ctx, buffer, out);
            if (end != null) {
                out.add(end);
                end = null;
            }
        }
    }
}
