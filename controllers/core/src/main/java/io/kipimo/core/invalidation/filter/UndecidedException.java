package io.kipimo.core.invalidation.filter;

/**
 * Thrown if it is unknown whether a filter selects a document: the test exceeds {@link Effort}, or the filter is not
 * supported any more. Queries with this filter must be evaluated again.
 */
public final class UndecidedException extends RuntimeException {
    UndecidedException() {
        // No stack trace: it is never shown, and may be thrown for every filter.
        super("undecided", null, false, false);
    }
}
