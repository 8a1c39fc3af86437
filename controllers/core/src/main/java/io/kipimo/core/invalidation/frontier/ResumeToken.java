package io.kipimo.core.invalidation.frontier;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Position from which a reader of notifications continues in each partition. With it the reader neither loses nor
 * repeats a notification, even if the stream repeats some. Immutable; its text is opaque to readers.
 *
 * <p>A new writer of a partition continues after the last notification that it finds there, in a higher epoch. The new
 * writer assigns the numbers of the former writer's later notifications again, and sends these notifications, too. So
 * readers skip lower epochs, and a number that is repeated in a higher epoch is another notification.
 *
 * @param next for each partition, the sequence number of the next notification
 * @param epochs for each partition, the epoch of the last notification taken; 0 if none was taken
 */
public record ResumeToken(List<Long> next, List<Long> epochs) {
    private static final byte VERSION = 1;
    private static final int OVERHEAD = 1 + Integer.BYTES;
    private static final int PARTITION_BYTES = 2 * Long.BYTES;

    /** What a reader does with a notification. */
    public enum Reading {
        /** The notification is the next one: take it. */
        TAKE,
        /** The notification was taken before, or the new writer sends it too: skip it. */
        REPEATED,
        /** Earlier notifications are missing: the reader must read again from its token. */
        GAP
    }

    public ResumeToken {
        next = List.copyOf(next);
        epochs = List.copyOf(epochs);
        if (next.isEmpty()
                || next.size() != epochs.size()
                || next.stream().anyMatch(sequence -> sequence < 0)
                || epochs.stream().anyMatch(epoch -> epoch < 0)) {
            throw new IllegalArgumentException(
                    "next " + next + ", epochs " + epochs + "; allowed: at least one partition, both from 0");
        }
    }

    /** The token of a reader that has taken no notification. */
    public static ResumeToken start(int partitions) {
        List<Long> zeros = Collections.nCopies(partitions, 0L);
        return new ResumeToken(zeros, zeros);
    }

    public Reading read(Position position) {
        long expected = next.get(position.partition());
        long epoch = epochs.get(position.partition());
        if (position.epoch() < epoch) {
            return Reading.REPEATED;
        }
        if (position.sequence() == expected || (position.epoch() > epoch && position.sequence() < expected)) {
            return Reading.TAKE;
        }
        return position.sequence() < expected ? Reading.REPEATED : Reading.GAP;
    }

    /**
     * The token after the notification was taken.
     *
     * @throws IllegalArgumentException unless {@link #read} returns TAKE
     */
    public ResumeToken after(Position position) {
        if (read(position) != Reading.TAKE) {
            throw new IllegalArgumentException(position + " is not next; allowed: " + next);
        }
        return with(position.partition(), position.sequence() + 1, position.epoch());
    }

    /** The token of a reader that begins with this notification and skips earlier ones. */
    public ResumeToken startingAt(Position position) {
        return with(position.partition(), position.sequence(), epochs.get(position.partition()));
    }

    private ResumeToken with(int partition, long sequence, long epoch) {
        List<Long> sequences = new ArrayList<>(next);
        sequences.set(partition, sequence);
        List<Long> writers = new ArrayList<>(epochs);
        writers.set(partition, epoch);
        return new ResumeToken(sequences, writers);
    }

    /** Text form for readers to store; safe in a URL. */
    public String text() {
        ByteBuffer bytes = ByteBuffer.allocate(OVERHEAD + next.size() * PARTITION_BYTES);
        bytes.put(VERSION);
        for (int partition = 0; partition < next.size(); partition++) {
            bytes.putLong(next.get(partition)).putLong(epochs.get(partition));
        }
        bytes.putInt(checksum(bytes));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @throws IllegalArgumentException if the text is not a token, is damaged, or has an unknown version */
    public static ResumeToken parse(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        int partitions = (bytes.capacity() - OVERHEAD) / PARTITION_BYTES;
        if (partitions < 1 || bytes.capacity() != OVERHEAD + partitions * PARTITION_BYTES) {
            throw new IllegalArgumentException("resume token '" + text + "' has a wrong length");
        }
        if (bytes.get() != VERSION) {
            throw new IllegalArgumentException("resume token has version " + bytes.get(0) + "; allowed: " + VERSION);
        }
        List<Long> next = new ArrayList<>();
        List<Long> epochs = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            next.add(bytes.getLong());
            epochs.add(bytes.getLong());
        }
        if (checksum(bytes) != bytes.getInt()) {
            throw new IllegalArgumentException("resume token '" + text + "' is damaged");
        }
        return new ResumeToken(next, epochs);
    }

    /** Checksum of the bytes before the buffer's position. */
    private static int checksum(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate().flip());
        return (int) crc.getValue();
    }
}
