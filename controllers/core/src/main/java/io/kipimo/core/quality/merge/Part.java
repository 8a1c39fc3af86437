package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.ScoredIds;

/**
 * A contribution of one component to an answer; a component may have several parts. The constructor ranks the items
 * once, since a part is merged into many answers.
 *
 * @param items items with numbers ({@link ItemDictionary} maps texts to numbers); best first in {@link TrecOrder},
 *     which the constructor establishes
 */
public record Part(String component, ScoredIds items) {
    /** @throws IllegalArgumentException if the identifiers are texts */
    public Part {
        items = TrecOrder.ranked(items);
    }
}
