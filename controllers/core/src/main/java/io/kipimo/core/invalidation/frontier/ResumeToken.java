package io.kipimo.core.invalidation.frontier;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Where a reader of notifications goes on: what it has taken, by partition. With it nothing is lost
 * and nothing repeated, whatever the stream sends again. Immutable; its text is opaque to readers.
 *
 * @param next sequence of each partition that was not taken yet
 */
public record ResumeToken(List<Long> next) {
    private static final byte VERSION = 1;
    private static final int OVERHEAD = 1 + Integer.BYTES;

    /** What a reader does with a notification. */
    public enum Reading {
        /** It is the next. */
        TAKE,
        /** It was taken before. */
        REPEATED,
        /** Others before it are missing: the reader must ask again from its token. */
        GAP
    }

    public ResumeToken {
        next = List.copyOf(next);
        if (next.isEmpty() || next.stream().anyMatch(sequence -> sequence < 0)) {
            throw new IllegalArgumentException(
                    "next " + next + "; allowed: at least one partition, sequences from 0");
        }
    }

    /** Nothing was taken. */
    public static ResumeToken start(int partitions) {
        return new ResumeToken(Collections.nCopies(partitions, 0L));
    }

    public Reading read(Position position) {
        long expected = next.get(position.partition());
        if (position.sequence() == expected) {
            return Reading.TAKE;
        }
        return position.sequence() < expected ? Reading.REPEATED : Reading.GAP;
    }

    /**
     * The token after the notification was taken.
     *
     * @throws IllegalArgumentException unless {@link #read} says TAKE
     */
    public ResumeToken after(Position position) {
        if (read(position) != Reading.TAKE) {
            throw new IllegalArgumentException(position + " is not next; allowed: " + next);
        }
        List<Long> after = new ArrayList<>(next);
        after.set(position.partition(), position.sequence() + 1);
        return new ResumeToken(after);
    }

    /** For a reader to keep; safe in a URL. */
    public String text() {
        ByteBuffer bytes = ByteBuffer.allocate(OVERHEAD + next.size() * Long.BYTES);
        bytes.put(VERSION);
        next.forEach(bytes::putLong);
        bytes.putInt(checksum(bytes));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /**
     * @throws IllegalArgumentException if it is no token, or damaged, or of an unknown version
     */
    public static ResumeToken parse(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        int partitions = (bytes.capacity() - OVERHEAD) / Long.BYTES;
        if (partitions < 1 || bytes.capacity() != OVERHEAD + partitions * Long.BYTES) {
            throw new IllegalArgumentException("resume token '" + text + "' has a wrong length");
        }
        if (bytes.get() != VERSION) {
            throw new IllegalArgumentException(
                    "resume token has version " + bytes.get(0) + "; allowed: " + VERSION);
        }
        List<Long> next = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            next.add(bytes.getLong());
        }
        if (checksum(bytes) != bytes.getInt()) {
            throw new IllegalArgumentException("resume token '" + text + "' is damaged");
        }
        return new ResumeToken(next);
    }

    /** Of all bytes up to where the buffer stands. */
    private static int checksum(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate().flip());
        return (int) crc.getValue();
    }
}
