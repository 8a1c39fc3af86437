package io.kipimo.duplicates;

import java.util.Arrays;
import java.util.Optional;

/**
 * Result of a write; the same on every duplicate.
 *
 * @param ticket place of the write among all writes, from 0
 * @param applied whether the write was applied; false if the key to create existed, or the key to delete did not
 * @param before version of the key before the write; empty: the key did not exist
 */
public record WriteResult(long ticket, boolean applied, Optional<Version> before) {
    /** Whether the results of two duplicates are the same. */
    boolean agreesWith(WriteResult other) {
        return ticket == other.ticket
                && applied == other.applied
                && before.map(Version::ticket).equals(other.before.map(Version::ticket))
                && Arrays.equals(
                        before.map(Version::value).orElse(null),
                        other.before.map(Version::value).orElse(null));
    }
}
