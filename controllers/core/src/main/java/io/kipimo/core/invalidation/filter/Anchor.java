package io.kipimo.core.invalidation.filter;

/**
 * A condition under which the index files a filter. A filter can select only documents that meet one of its anchors.
 */
sealed interface Anchor {
    Path path();

    /** Met by an element at the path that equals the key; a missing element equals null. */
    record Equal(Path path, Value key) implements Anchor {}

    /**
     * Met by elements at the path that belong to one bracket ({@link BsonType#bracket()}), if the range from their
     * least to their greatest {@link RangeKey} overlaps the interval.
     */
    record RangeAnchor(Path path, int bracket, long from, long to) implements Anchor {}
}
