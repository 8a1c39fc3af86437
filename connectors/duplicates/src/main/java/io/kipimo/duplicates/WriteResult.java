package io.kipimo.duplicates;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a write did; the same on every duplicate.
 *
 * @param ticket its place among all writes, counted from 0
 * @param applied false: a key to be created was there, or one to be deleted was not
 * @param before the version that was there when it came
 */
public record WriteResult(long ticket, boolean applied, Optional<Version> before) {
    /** Whether two duplicates say the same. */
    boolean agreesWith(WriteResult other) {
        return ticket == other.ticket
                && applied == other.applied
                && before.map(Version::ticket).equals(other.before.map(Version::ticket))
                && Arrays.equals(
                        before.map(Version::value).orElse(null),
                        other.before.map(Version::value).orElse(null));
    }
}
