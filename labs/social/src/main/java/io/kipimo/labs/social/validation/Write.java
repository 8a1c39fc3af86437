package io.kipimo.labs.social.validation;

import java.util.List;

/** A write with its beginning and end. Its changes take effect together at one time in between. */
public final class Write {
    /** End of a write that has not ended. It may take effect at any later time, or never. */
    static final long OPEN = Long.MAX_VALUE;

    final List<Change> changes;
    long start;
    long end = OPEN;

    Write(List<Change> changes) {
        this.changes = List.copyOf(changes);
    }
}
