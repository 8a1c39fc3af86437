package io.kipimo.core.invalidation.filter;

/**
 * Whether a filter selects a document is not known: finding out would take more than {@link Effort}
 * allows, or nobody can. A query of that filter is to be evaluated again.
 */
public final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndecidedException() {
        // Told to nobody, and thrown as often as there are filters.
        super("undecided", null, false, false);
    }
}
