package io.kipimo.schemas.caching;

/**
 * Names of what is cached, with {@code /} between their parts: keys of topics and names of filters.
 * Those who write and those who read them must agree.
 */
public final class CachedScope {
    private CachedScope() {}

    /** Of a service's table: its filter's name. */
    public static String of(String service, String table) {
        return service + '/' + table;
    }

    /** Of a record or a query's result in a table. */
    public static String of(String service, String table, String key) {
        return service + '/' + table + '/' + key;
    }
}
