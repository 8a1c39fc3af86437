package io.kipimo.harness.duplicates;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a client asked for and what it heard. Every value is written at most once in a history.
 *
 * @param session of operations that came one after the other
 * @param startNanos when it was asked
 * @param endNanos when it was answered, or given up
 * @param value written; empty for reads and deletions
 * @param ticket place of a write in the order, and for a read the last write it had to show; empty:
 *     no answer came, and a write may or may not have happened
 * @param applied of a write: whether it did anything
 * @param seen what a read found, or was there before a write
 */
public record Operation(
        String session,
        long startNanos,
        long endNanos,
        Kind kind,
        String key,
        Optional<String> value,
        OptionalLong ticket,
        boolean applied,
        Optional<Seen> seen) {
    /** What was asked for. */
    public enum Kind {
        READ,
        PUT,
        CREATE,
        DELETE
    }

    /**
     * A version of a key.
     *
     * @param ticket of the write that it is said to be of
     */
    public record Seen(String value, long ticket) {}

    boolean isRead() {
        return kind == Kind.READ;
    }

    boolean isKnown() {
        return ticket.isPresent();
    }
}
