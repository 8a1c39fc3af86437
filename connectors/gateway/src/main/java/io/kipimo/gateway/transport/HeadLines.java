package io.kipimo.gateway.transport;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.nio.charset.StandardCharsets;

/**
 * Checks the lines of a head, or of trailers, before Netty parses them. Netty accepts white space in forbidden places,
 * joins folded lines and drops contradictory lengths.
 *
 * <p>Each line is checked once, when it is complete. The methods throw {@link IllegalArgumentException} for lines that
 * RFC 9112 does not allow.
 */
final class HeadLines {
    private static final byte LF = '\n';
    private static final byte CR = '\r';

    /** First byte of a TLS connection (RFC 8446, sec. 5.1). */
    private static final byte HANDSHAKE = 22;

    private static final boolean[] TOKEN = new boolean[256];
    private static final boolean[] TARGET = new boolean[256];
    private static final boolean[] VALUE = new boolean[256];

    static {
        for (int c = 0x21; c <= 0x7e; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
            // A target has no fragment on the wire. A server that strips one would see another
            // target.
            TARGET[c] = c != '#';
        }
        for (int c = 0x20; c <= 0xff; c++) {
            VALUE[c] = c != 0x7f;
        }
        VALUE['\t'] = true;
    }

    private static final ByteProcessor IS_TOKEN = b -> TOKEN[b & 0xff];
    private static final ByteProcessor IS_TARGET = b -> TARGET[b & 0xff];
    static final ByteProcessor IS_VALUE = b -> VALUE[b & 0xff];
    private static final ByteProcessor IS_DIGIT = b -> b >= '0' && b <= '9';

    private final boolean ofRequest;
    private boolean started;
    private int lengths;
    private int encodings;

    /**
     * @param ofRequest whether the head is a request's; for responses, Netty handles the status line and white space as
     *     a proxy must
     */
    HeadLines(boolean ofRequest) {
        this.ofRequest = ofRequest;
    }

    /** Prepares for the first line of the next message. */
    void reset() {
        started = false;
        lengths = 0;
        encodings = 0;
    }

    /**
     * Checks all complete lines, up to the empty one.
     *
     * @return false: Netty must wait for further bytes
     */
    boolean check(ByteBuf buffer) {
        int at = buffer.readerIndex();
        if (ofRequest && !started && at < buffer.writerIndex() && buffer.getByte(at) == HANDSHAKE) {
            throw new TlsBytesException();
        }
        for (int lf = indexOfLf(buffer, at); lf >= 0; lf = indexOfLf(buffer, at)) {
            refuseIf(lf == at || buffer.getByte(lf - 1) != CR, "a line does not end with CR LF");
            int length = lf - 1 - at;
            if (!started) {
                if (length > 0) {
                    started = true;
                    if (ofRequest) {
                        requestLine(buffer, at, length);
                    }
                }
            } else if (length == 0) {
                return true;
            } else {
                field(buffer, at, length);
            }
            at = lf + 1;
        }
        return started || !ofRequest || mayBegin(buffer, at);
    }

    /**
     * Whether a request may begin here. Netty would skip any control character and blank; this check allows an empty
     * line only.
     */
    private static boolean mayBegin(ByteBuf buffer, int at) {
        if (at == buffer.writerIndex()) {
            return true;
        }
        if (buffer.getByte(at) == CR) {
            refuseIf(buffer.writerIndex() - at > 1, "a line does not end with CR LF");
            return false;
        }
        refuseIf(!TOKEN[buffer.getByte(at) & 0xff], "the method is not a token");
        return true;
    }

    /** Checks trailers, which begin with a field, without a first line of another kind. */
    boolean checkTrailers(ByteBuf buffer) {
        started = true;
        return check(buffer);
    }

    /** Throws {@link IllegalArgumentException} if something is malformed; otherwise allocates nothing. */
    static void refuseIf(boolean isMalformed, String why) {
        if (isMalformed) {
            throw new IllegalArgumentException(why);
        }
    }

    private static int indexOfLf(ByteBuf buffer, int from) {
        return buffer.indexOf(from, buffer.writerIndex(), LF);
    }

    private static void requestLine(ByteBuf buffer, int at, int length) {
        int method = run(buffer, at, length, IS_TOKEN);
        refuseIf(
                method == 0 || method == length || buffer.getByte(at + method) != ' ',
                "the method is not a token and one space");
        int from = at + method + 1;
        int rest = length - method - 1;
        int target = run(buffer, from, rest, IS_TARGET);
        refuseIf(
                target == 0 || target == rest || buffer.getByte(from + target) != ' ',
                "the target is not visible ASCII characters and one space");
        String version = buffer.toString(from + target + 1, rest - target - 1, StandardCharsets.ISO_8859_1);
        refuseIf(
                !version.equals("HTTP/1.1") && !version.equals("HTTP/1.0"),
                "the version is neither HTTP/1.1 nor HTTP/1.0");
    }

    private void field(ByteBuf buffer, int at, int length) {
        if (ofRequest) {
            int name = run(buffer, at, length, IS_TOKEN);
            refuseIf(
                    name == 0 || name == length || buffer.getByte(at + name) != ':',
                    "a header's name is not a token and a colon");
            int value = length - name - 1;
            refuseIf(run(buffer, at + name + 1, value, IS_VALUE) != value, "a header's value has a control character");
        }
        if (isField(buffer, at, length, "content-length:")) {
            lengths++;
            requireLength(buffer, at + "content-length:".length(), at + length);
        } else if (isField(buffer, at, length, "transfer-encoding:")) {
            encodings++;
        }
        refuseIf(lengths > 1 || encodings > 1 || lengths + encodings > 1, "the message's length is given twice");
    }

    /** Refuses a length unless it has 1 to 18 digits. Servers may differ in how they interpret a sign or a list. */
    private static void requireLength(ByteBuf buffer, int from, int to) {
        int first = from;
        while (first < to && isSpace(buffer.getByte(first))) {
            first++;
        }
        int last = to;
        while (last > first && isSpace(buffer.getByte(last - 1))) {
            last--;
        }
        int digits = last - first;
        refuseIf(
                digits == 0 || digits > 18 || run(buffer, first, digits, IS_DIGIT) != digits,
                "Content-Length is not one number");
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }

    /**
     * Whether a line starts with a field name and its colon; {@code name} is lower-case, the comparison ignores case.
     */
    private static boolean isField(ByteBuf buffer, int at, int length, String name) {
        if (length < name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            int c = buffer.getByte(at + i);
            if (c != name.charAt(i) && (c < 'A' || c > 'Z' || c + 32 != name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Number of leading bytes of a kind. */
    static int run(ByteBuf buffer, int at, int length, ByteProcessor kind) {
        int other = buffer.forEachByte(at, length, kind);
        return other < 0 ? length : other - at;
    }
}
