package io.kipimo.gateway.record;

import io.kipimo.schemas.quality.Items;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The parsed content of a successful response.
 *
 * @param items empty if they were not extracted, or are unreadable
 * @param list evidence in the list of items
 * @param isListed whether the items were extracted, and are all that was asked
 * @param isCut whether the response carries a sign of work cut short
 * @param parts the engine and those of its shards that failed or were late; empty: no engine
 * @param answered share of the engine's shards that answered, 0..1; empty: not known, or all did
 * @param unreadable empty: everything that was parsed could be read
 */
record ResponseReading(
        Items items,
        ListEvidence list,
        boolean isListed,
        boolean isCut,
        List<EngineParts.EnginePart> parts,
        OptionalDouble answered,
        Optional<Unreadable> unreadable) {
    /** The response was not parsed. */
    static final ResponseReading NOT_LOOKED = new ResponseReading(
            Items.NONE, ListEvidence.SHOWN, false, false, List.of(), OptionalDouble.empty(), Optional.empty());

    static ResponseReading unreadable(boolean isCut, Unreadable why) {
        return new ResponseReading(
                Items.NONE, ListEvidence.SHOWN, false, isCut, List.of(), OptionalDouble.empty(), Optional.of(why));
    }

    boolean isReadable() {
        return unreadable.isEmpty();
    }
}
