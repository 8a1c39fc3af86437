package io.kipimo.gateway.transport;

import io.netty.buffer.ByteBuf;

/**
 * Checks the lines of chunk sizes before Netty parses them. Netty's decoder lets a size overflow, so that the following
 * bytes would be another message. It also treats blanks and control characters as the end of the number.
 *
 * <p>It counts the bytes of a chunk that Netty reads, to find the line of the next size.
 */
final class ChunkLines {
    /**
     * Greatest length of a chunk's line. It may have extensions (signatures of object stores), which are short in
     * practice.
     */
    private static final int MOST_LINE = 256;

    private static final int MOST_DIGITS = 8;

    private boolean chunked;

    /** Bytes until the line of the next size. */
    private long owed;

    private boolean inTrailers;

    void begin(boolean isChunked) {
        chunked = isChunked;
        owed = 0;
        inTrailers = false;
    }

    boolean inTrailers() {
        return inTrailers;
    }

    /**
     * Checks the buffer before Netty reads it.
     *
     * @throws IllegalArgumentException if the line is not a chunk size
     */
    void check(ByteBuf buffer) {
        if (!chunked || owed > 0 || inTrailers) {
            return;
        }
        int at = buffer.readerIndex();
        int end = Math.min(buffer.writerIndex(), at + MOST_LINE);
        int lf = buffer.indexOf(at, end, (byte) '\n');
        if (lf < 0) {
            HeadLines.refuseIf(buffer.readableBytes() >= MOST_LINE, "a chunk's size is longer than a line");
            return;
        }
        HeadLines.refuseIf(lf == at || buffer.getByte(lf - 1) != '\r', "a chunk's size does not end with CR LF");
        long size = size(buffer, at, lf - 1);
        inTrailers = size == 0;
        owed = inTrailers ? 0 : lf + 1 - at + size + 2;
    }

    /** Counts the bytes that Netty has read. */
    void read(int bytes) {
        owed = Math.max(0, owed - bytes);
    }

    private static long size(ByteBuf buffer, int from, int to) {
        long size = 0;
        int at = from;
        for (; at < to && Character.digit(buffer.getByte(at), 16) >= 0; at++) {
            size = size * 16 + Character.digit(buffer.getByte(at), 16);
            HeadLines.refuseIf(at - from >= MOST_DIGITS || size > Integer.MAX_VALUE, "a chunk is too large");
        }
        int extension = to - at;
        HeadLines.refuseIf(
                at == from
                        || (extension > 0 && buffer.getByte(at) != ';')
                        || HeadLines.run(buffer, at, extension, HeadLines.IS_VALUE) != extension,
                "a chunk's size is not a hexadecimal number");
        return size;
    }
}
