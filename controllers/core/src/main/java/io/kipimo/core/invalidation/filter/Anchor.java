package io.kipimo.core.invalidation.filter;

/** Index entry of a filter. */
sealed interface Anchor {
    Path path();

    /** An element at the path that equals the key; a missing one equals null. */
    record Equal(Path path, Value key) implements Anchor {}

    /**
     * Elements at the path, of one bracket of types, whose least and greatest {@link RangeKey} overlap the interval.
     */
    record RangeAnchor(Path path, int bracket, long from, long to) implements Anchor {}
}
