package io.kipimo.core.stale;

/** The home in memory. */
class ExpiringFilterTest extends StaleKeysContract {
    @Override
    protected StaleKeys create(FilterShape shape) {
        return new ExpiringFilter(shape, LONGEST_TTL_MILLIS);
    }
}
