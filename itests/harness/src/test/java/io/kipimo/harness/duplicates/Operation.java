package io.kipimo.harness.duplicates;

import io.kipimo.schemas.field.WithBuilder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One request of a client and its response. A history writes every value at most once.
 *
 * @param session client session; its operations run one after the other
 * @param startNanos when the request was sent
 * @param endNanos when the response arrived, or the client gave up
 * @param value value written; empty for reads and deletions
 * @param ticket position of a write in the order; for a read, the last write that it had to show. Empty: no response
 *     came, and a write may or may not have been applied
 * @param applied whether a write changed the store
 * @param seen what a read returned, or what a write found before it
 */
@WithBuilder
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
    /** Kind of request. */
    public enum Kind {
        READ,
        PUT,
        CREATE,
        DELETE
    }

    /**
     * A version of a key.
     *
     * @param ticket ticket of the write that the store names as the origin
     */
    public record Seen(String value, long ticket) {}

    boolean isRead() {
        return kind == Kind.READ;
    }

    boolean isKnown() {
        return ticket.isPresent();
    }
}
