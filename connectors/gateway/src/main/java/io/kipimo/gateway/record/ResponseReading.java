package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;
import java.util.List;
import java.util.Optional;

/**
 * The parsed content of a successful response.
 *
 * @param items empty if they were not extracted, or are unreadable
 * @param list what they can show
 * @param isCut whether it carries a sign of work cut short
 * @param parts the engine and those of its shards that failed or were late; empty: no engine
 * @param unreadable empty: everything that was parsed could be read
 */
record ResponseReading(
        Items items,
        ListEvidence list,
        boolean isCut,
        List<EngineParts.EnginePart> parts,
        Optional<Unreadable> unreadable) {
    /** The response was not parsed. */
    static final ResponseReading NOT_LOOKED =
            new ResponseReading(Items.NONE, ListEvidence.SHOWN, false, List.of(), Optional.empty());

    static ResponseReading unreadable(boolean isCut, Unreadable why) {
        return new ResponseReading(Items.NONE, ListEvidence.SHOWN, isCut, List.of(), Optional.of(why));
    }

    boolean isReadable() {
        return unreadable.isEmpty();
    }
}
