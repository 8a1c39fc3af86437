package io.kipimo.core.quality.merge;

import io.kipimo.schemas.quality.Items;

/**
 * What one component contributes to an answer; a component may contribute several parts.
 *
 * @param items in any order; with numbers, which {@link ItemDictionary} makes of texts
 */
public record Part(String component, Items items) {}
