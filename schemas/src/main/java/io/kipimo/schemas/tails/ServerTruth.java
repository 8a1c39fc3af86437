package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Comparisons that one server took part in.
 *
 * @param compared number of comparisons whose verdict is known
 * @param behind comparisons in which the server lacked items that the other server had, and had them when asked again
 * @param different comparisons in which the server still lacked such items when asked again
 */
public record ServerTruth(
        @Name String server,
        long compared,
        @Range(mostOf = "compared") long behind,
        @Range(mostOf = "compared") long different) {}
