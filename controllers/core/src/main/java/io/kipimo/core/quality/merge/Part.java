package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.Items;

/**
 * What one component contributes to an answer; a component may contribute several parts. Ranked
 * from the start, since a part is merged into many answers.
 *
 * @param items with numbers, which {@link ItemDictionary} makes of texts; the best first in {@link
 *     TrecOrder}, into which the constructor puts them if they are not
 */
public record Part(String component, Items items) {
    public Part {
        items = TrecOrder.ranked(items);
    }
}
