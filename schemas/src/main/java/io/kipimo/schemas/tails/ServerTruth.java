package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Comparisons that one server took part in.
 *
 * @param compared number of comparisons whose verdict is known
 * @param behind comparisons in which the server lacked items that the other one had, and had them later
 * @param different comparisons in which the server still lacked them when asked again
 */
public record ServerTruth(
        @Name String server,
        long compared,
        @Range(mostOf = "compared") long behind,
        @Range(mostOf = "compared") long different) {}
