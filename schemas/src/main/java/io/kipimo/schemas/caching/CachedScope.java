package io.kipimo.schemas.caching;

/**
 * Builds the names of cached entries, with {@code /} between their parts. The names are keys of topics and names of
 * filters, so writers and readers must use the same form.
 */
public final class CachedScope {
    private CachedScope() {}

    /** Name of a service's table, and of the table's filter. */
    public static String of(String service, String table) {
        return service + '/' + table;
    }

    /** Name of a record or a query's result in a table. */
    public static String of(String service, String table, String key) {
        return service + '/' + table + '/' + key;
    }
}
