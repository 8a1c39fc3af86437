package io.kipimo.duplicates;

import java.util.Arrays;
import java.util.Optional;

/**
 * Result of a write; the same on every duplicate.
 *
 * @param ticket its place among all writes, counted from 0
 * @param applied false: the key to create existed, or the key to delete did not
 * @param before the version before the write
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
