package io.kipimo.core.sampling;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * XXH64 (Yann Collet, "xxHash fast digest algorithm", version 0.1.1), over bytes or over the UTF-8 bytes of a text.
 * Services compute it for each query, so it is plain Java: libraries that have it read memory by
 * {@code sun.misc.Unsafe}, for which newer JDKs print warnings.
 */
public final class XxHash64 {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;
    private static final int STRIPE = 4 * Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private XxHash64() {}

    /** Hash of the text's UTF-8 bytes. */
    public static long hash(String text, long seed) {
        return hash(text.getBytes(UTF_8), seed);
    }

    /** Hash of all bytes. */
    public static long hash(byte[] bytes, long seed) {
        int at = 0;
        long hash;
        if (bytes.length >= STRIPE) {
            long lane1 = seed + PRIME_1 + PRIME_2;
            long lane2 = seed + PRIME_2;
            long lane3 = seed;
            long lane4 = seed - PRIME_1;
            for (; at <= bytes.length - STRIPE; at += STRIPE) {
                lane1 = round(lane1, (long) LONGS.get(bytes, at));
                lane2 = round(lane2, (long) LONGS.get(bytes, at + 8));
                lane3 = round(lane3, (long) LONGS.get(bytes, at + 16));
                lane4 = round(lane4, (long) LONGS.get(bytes, at + 24));
            }
            hash = Long.rotateLeft(lane1, 1)
                    + Long.rotateLeft(lane2, 7)
                    + Long.rotateLeft(lane3, 12)
                    + Long.rotateLeft(lane4, 18);
            hash = merge(hash, lane1);
            hash = merge(hash, lane2);
            hash = merge(hash, lane3);
            hash = merge(hash, lane4);
        } else {
            hash = seed + PRIME_5;
        }
        hash += bytes.length;
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            hash ^= round(0, (long) LONGS.get(bytes, at));
            hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
        }
        if (at <= bytes.length - Integer.BYTES) {
            hash ^= Integer.toUnsignedLong((int) INTS.get(bytes, at)) * PRIME_1;
            hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
            at += Integer.BYTES;
        }
        for (; at < bytes.length; at++) {
            hash ^= Byte.toUnsignedLong(bytes[at]) * PRIME_5;
            hash = Long.rotateLeft(hash, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 33) * PRIME_2;
        hash = (hash ^ hash >>> 29) * PRIME_3;
        return hash ^ hash >>> 32;
    }

    private static long round(long lane, long input) {
        return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
    }

    private static long merge(long hash, long lane) {
        return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
    }
}
