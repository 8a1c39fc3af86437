package io.kipimo.core.rating.search;

/** What to do next: another experiment, or nothing, since the rating is known. */
public sealed interface SearchStep {
    /** Impose {@code load} and hand in the reading. */
    record Run(long load, Purpose purpose) implements SearchStep {}

    /** The search is over. */
    record Done(SearchResult rating) implements SearchStep {}
}
