package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Comparisons that one server took part in.
 *
 * @param compared number of comparisons whose verdict is known
 * @param behind those in which it lacked items that the other one had, and had them later
 * @param different those in which it still lacked them
 */
public record ServerTruth(
        @Name String server,
        long compared,
        @Range(mostOf = "compared") long behind,
        @Range(mostOf = "compared") long different) {}
