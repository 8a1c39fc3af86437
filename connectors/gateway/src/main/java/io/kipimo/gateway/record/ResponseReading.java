package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;
import java.util.Optional;

/**
 * What was found in a successful response.
 *
 * @param items none where they were not looked for, or are unreadable
 * @param isCut whether it says of itself that work was cut short
 * @param unreadable empty: all that was looked for could be read
 */
record ResponseReading(Items items, boolean isCut, Optional<Unreadable> unreadable) {
    /** Nothing is looked for. */
    static final ResponseReading NOT_LOOKED =
            new ResponseReading(Items.NONE, false, Optional.empty());

    static ResponseReading unreadable(boolean isCut, Unreadable why) {
        return new ResponseReading(Items.NONE, isCut, Optional.of(why));
    }

    boolean isReadable() {
        return unreadable.isEmpty();
    }
}
