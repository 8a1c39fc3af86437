package io.kipimo.schemas.codec;

/**
 * Reads Protobuf's wire format within one message. An error makes the reader {@link #isBroken broken} and moves it to
 * its end, where everything reads as 0. So callers check for errors once, at the end.
 */
final class WireReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private int position;
    private int end;
    private boolean broken;

    WireReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    boolean hasMore() {
        return position < end;
    }

    boolean isBroken() {
        return broken;
    }

    int position() {
        return position;
    }

    /** Number and type of the next field; 0 only if the reader is broken. */
    int tag() {
        if (position < end && bytes[position] > 0) {
            return bytes[position++];
        }
        long tag = varint();
        if (tag <= 0 || tag > Integer.MAX_VALUE) {
            breakOff();
            return 0;
        }
        return (int) tag;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (position >= end) {
                break;
            }
            byte b = bytes[position++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        breakOff();
        return 0;
    }

    /**
     * Reads the length of a length-delimited field. If some of the field's bytes are missing, breaks the reader and
     * returns 0.
     */
    int length() {
        long length = varint();
        if (length < 0 || length > end - position) {
            breakOff();
            return 0;
        }
        return (int) length;
    }

    void skip(int length) {
        position += length;
    }

    void skipField(int tag) {
        int type = tag & 7;
        if (tag >>> 3 == 0) {
            breakOff();
        } else if (type == VARINT) {
            varint();
        } else if (type == LENGTH_DELIMITED) {
            skip(length());
        } else if (type == FIXED64 && end - position >= Long.BYTES) {
            skip(Long.BYTES);
        } else if (type == FIXED32 && end - position >= Integer.BYTES) {
            skip(Integer.BYTES);
        } else {
            breakOff();
        }
    }

    /** Marks the message as unreadable and ends it. */
    void breakOff() {
        broken = true;
        position = end;
    }

    /** Enters a nested message of {@code length} bytes that begins here; pass the result to {@link #leave}. */
    int enter(int length) {
        int outerEnd = end;
        end = position + length;
        return outerEnd;
    }

    void leave(int outerEnd) {
        position = broken ? outerEnd : end;
        end = outerEnd;
    }
}
