package io.kipimo.core.invalidation.index;

import io.kipimo.core.invalidation.document.Value;
import io.kipimo.core.invalidation.filter.Path;

/** Index entry of a filter. */
sealed interface Anchor {
    Path path();

    /** An element at the path that equals the key; a missing one equals null. */
    record Equal(Path path, Value key) implements Anchor {}

    /**
     * Elements at the path, of one bracket of types, whose least and greatest {@link RangeKey} overlap the interval.
     */
    record Range(Path path, int bracket, long from, long to) implements Anchor {}
}
