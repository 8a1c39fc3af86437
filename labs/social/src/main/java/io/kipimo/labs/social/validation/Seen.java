package io.kipimo.labs.social.validation;

import java.util.Optional;

/**
 * The part of a read's result about one set.
 *
 * @param elements ascending; empty if only their number was read
 */
public record Seen(SetId set, int size, Optional<long[]> elements) {
    /** A size that no set has. It stands for a read whose other values were wrong. */
    public static final int NEVER = -1;

    /** What a read saw of a set if it returned only the number of elements. */
    public static Seen size(SetId set, int size) {
        return new Seen(set, size, Optional.empty());
    }

    /** What a read saw of a set if it returned the elements, ascending. */
    public static Seen elements(SetId set, long[] elements) {
        return new Seen(set, elements.length, Optional.of(elements));
    }
}
