package io.kipimo.core.replication;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.tails.TailWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * State of the replication loop of one service.
 *
 * @param tiers names, first to last; if the policy names others, the state starts again
 * @param replicator of these tiers
 * @param pending windows that wait for windows of other tiers with the same end
 */
public record ReplicationState(
        List<String> tiers, ReplicatorState replicator, List<TailWindow> pending) {
    private static final int VERSION = 1;

    /** Lists are short, so a greater length means damaged bytes. */
    private static final int MOST_ELEMENTS = 10_000;

    private static final int MOST_BYTES = 1 << 28;

    public ReplicationState {
        tiers = List.copyOf(tiers);
        pending = List.copyOf(pending);
    }

    /** The state before the first policy. */
    public static ReplicationState initial() {
        return new ReplicationState(List.of(), ReplicatorState.initial(1), List.of());
    }

    /** The state before any window. */
    static ReplicationState initial(List<String> tiers) {
        return new ReplicationState(tiers, ReplicatorState.initial(tiers.size()), List.of());
    }

    ReplicationState with(ReplicatorState newReplicator) {
        return new ReplicationState(tiers, newReplicator, pending);
    }

    ReplicationState withPending(List<TailWindow> windows) {
        return new ReplicationState(tiers, replicator, windows);
    }

    /** A form that {@link #fromBytes} reads. */
    public byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8_192);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(tiers.size());
            for (String tier : tiers) {
                out.writeUTF(tier);
            }
            write(out, replicator.toBytes());
            out.writeInt(pending.size());
            for (TailWindow window : pending) {
                write(out, Codecs.TAIL_WINDOW.encode(window));
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #toBytes} wrote.
     *
     * @throws IllegalArgumentException if the bytes are no such state, or of another version
     */
    public static ReplicationState fromBytes(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "replication's state has version " + version + "; allowed: " + VERSION);
            }
            List<String> tiers = new ArrayList<>();
            for (int left = length(in, MOST_ELEMENTS); left > 0; left--) {
                tiers.add(in.readUTF());
            }
            ReplicatorState replicator = ReplicatorState.fromBytes(read(in));
            List<TailWindow> pending = new ArrayList<>();
            for (int left = length(in, MOST_ELEMENTS); left > 0; left--) {
                pending.add(Codecs.TAIL_WINDOW.decode(read(in)));
            }
            return new ReplicationState(tiers, replicator, pending);
        } catch (IOException | InvalidRecordException e) {
            throw new IllegalArgumentException(
                    "replication's state of " + bytes.length + " bytes cannot be read: " + e, e);
        }
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(length(in, MOST_BYTES));
    }

    private static int length(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a length is " + length);
        }
        return length;
    }
}
