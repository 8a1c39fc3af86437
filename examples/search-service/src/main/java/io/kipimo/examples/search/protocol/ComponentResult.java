package io.kipimo.examples.search.protocol;

import io.kipimo.examples.search.index.Hits;
import io.vertx.core.buffer.Buffer;

/**
 * Result of a component. Encoded, it has 8 bytes of work time, 4 bytes of count, then 12 bytes a hit, big endian.
 *
 * @param workMicros time the search itself took, without waiting, microseconds
 */
public record ComponentResult(long workMicros, Hits hits) {
    private static final int HEAD_BYTES = 12;
    private static final int HIT_BYTES = 12;

    public Buffer encode() {
        Buffer buffer = Buffer.buffer(HEAD_BYTES + HIT_BYTES * hits.size());
        buffer.appendLong(workMicros).appendInt(hits.size());
        for (int i = 0; i < hits.size(); i++) {
            buffer.appendLong(hits.ids()[i]).appendFloat(hits.scores()[i]);
        }
        return buffer;
    }

    /**
     * Reads the output of {@link #encode}.
     *
     * @throws IllegalArgumentException if the length does not match the count
     */
    public static ComponentResult decode(Buffer buffer) {
        int size = buffer.length() < HEAD_BYTES ? -1 : buffer.getInt(8);
        if (size < 0 || buffer.length() != HEAD_BYTES + HIT_BYTES * size) {
            throw new IllegalArgumentException(
                    "a result of " + buffer.length() + " bytes says it has " + size + " hits");
        }
        long[] ids = new long[size];
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            ids[i] = buffer.getLong(HEAD_BYTES + HIT_BYTES * i);
            scores[i] = buffer.getFloat(HEAD_BYTES + HIT_BYTES * i + 8);
        }
        return new ComponentResult(buffer.getLong(0), new Hits(ids, scores));
    }
}
