package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;
import java.util.Optional;

/**
 * The parsed content of a successful response.
 *
 * @param items empty if they were not extracted, or are unreadable
 * @param isCut whether it carries a sign of work cut short
 * @param unreadable empty: everything that was parsed is readable
 */
record ResponseReading(Items items, boolean isCut, Optional<Unreadable> unreadable) {
    /** The response was not parsed. */
    static final ResponseReading NOT_LOOKED =
            new ResponseReading(Items.NONE, false, Optional.empty());

    static ResponseReading unreadable(boolean isCut, Unreadable why) {
        return new ResponseReading(Items.NONE, isCut, Optional.of(why));
    }

    boolean isReadable() {
        return unreadable.isEmpty();
    }
}
