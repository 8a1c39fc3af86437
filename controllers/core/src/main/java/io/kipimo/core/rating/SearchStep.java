package io.kipimo.core.rating;

/** The next step of a search: another experiment, or the end. */
sealed interface SearchStep {
    /** Impose {@code load} and add the reading to the log. */
    record SearchRun(long load, Purpose purpose) implements SearchStep {}

    /** The search is over. */
    record SearchEnd(SearchResult rating) implements SearchStep {}
}
