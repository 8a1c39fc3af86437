package io.kipimo.labs.social.validation;

import java.util.List;

/** A write with its beginning and end; its changes take effect at one time in between. */
public final class Write {
    /** It may take effect at any time, or never. */
    static final long OPEN = Long.MAX_VALUE;

    final List<Change> changes;
    long start;
    long end = OPEN;

    Write(List<Change> changes) {
        this.changes = List.copyOf(changes);
    }
}
